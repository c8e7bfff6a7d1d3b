// SPDX-License-Identifier: BSD-2-Clause-Patent
// nextflow run example.nf --manifest pairs.csv --videos 'encodes/*.mp4' --shards 8
// Options of isovmaf batch: process { withName: ISOVMAF_SHARD { ext.args = '--backend hip' } } in nextflow.config

include { ISOVMAF_BATCH } from './isovmaf.nf'

params.shards = 1
params.out = 'results'

workflow {
    manifest = file(params.manifest, checkIfExists: true)
    videos = files(params.videos, checkIfExists: true)
    ISOVMAF_BATCH(manifest, videos, params.shards as int)
    ISOVMAF_BATCH.out.report.mix(ISOVMAF_BATCH.out.csv, ISOVMAF_BATCH.out.jsonl, ISOVMAF_BATCH.out.failures,
                                 ISOVMAF_BATCH.out.bd_rates)
        .collectFile(storeDir: params.out) { file -> [file.name, file] }
}

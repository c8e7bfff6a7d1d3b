// SPDX-License-Identifier: BSD-2-Clause-Patent
// Scores the pairs of a manifest with `isovmaf batch`: each task does a shard in a folder of its own, and a last task
// puts the folders together. See example.nf.

process ISOVMAF_SHARD {
    tag "${shard}/${count}"
    cpus 8
    // 69: a device cannot be used on this node; 75: failures that may pass; 130 and above: stopped by a signal. 65 is no
    // failure of the task: the shard is done, and pairs of it have no scores.
    errorStrategy { task.exitStatus in [69, 75] || task.exitStatus >= 130 ? 'retry' : 'terminate' }
    maxRetries 3

    input:
    tuple val(shard), val(count)
    path manifest
    path videos // with the names that the manifest has

    output:
    path "part-${shard}"

    script:
    """
    isovmaf batch ${manifest} --run part-${shard} --shard ${shard}/${count} --threads ${task.cpus} ${task.ext.args ?: ''} \
        || { code=\$?; [ \$code -eq 65 ] || exit \$code; }
    """
}

process ISOVMAF_MERGE {
    cpus 1

    input:
    path parts

    output:
    path 'merged/results.csv', emit: csv
    path 'merged/results.jsonl', emit: jsonl
    path 'merged/failures.csv', emit: failures
    path 'merged/bd_rates.csv', emit: bd_rates
    path 'merged/report.html', emit: report

    script:
    """
    isovmaf batch merge ${parts} --out merged ${task.ext.args ?: '--allow-failed 1000000000'}
    """
}

workflow ISOVMAF_BATCH {
    take:
    manifest // one file
    videos   // all files that the manifest names
    count    // of tasks

    main:
    shards = Channel.of(0..<count).map { shard -> tuple(shard, count) }
    ISOVMAF_SHARD(shards, manifest, videos)
    ISOVMAF_MERGE(ISOVMAF_SHARD.out.collect())

    emit:
    csv = ISOVMAF_MERGE.out.csv
    jsonl = ISOVMAF_MERGE.out.jsonl
    failures = ISOVMAF_MERGE.out.failures
    bd_rates = ISOVMAF_MERGE.out.bd_rates
    report = ISOVMAF_MERGE.out.report
}

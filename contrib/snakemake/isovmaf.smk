# SPDX-License-Identifier: BSD-2-Clause-Patent
# Scores the pairs of a manifest (CSV) with `isovmaf batch`, as Snakemake rules. In your Snakefile:
#
#     config["isovmaf"] = {"manifest": "pairs.csv", "run": "results", "jobs": 8, "options": "--backend hip"}
#     include: "isovmaf.smk"
#     rule all:
#         input: rules.isovmaf_batch.output
#
# jobs     how many jobs share the work (1)
# options  of isovmaf batch (none)
# The results are made again when the manifest or a video is newer. What was scored before is not scored again.
import csv
import pathlib

isovmaf = {"jobs": 1, "options": "", **config["isovmaf"]}


def isovmaf_videos(_):
    manifest = pathlib.Path(isovmaf["manifest"])
    with open(manifest, newline="", encoding="utf-8-sig") as table:
        rows = list(csv.DictReader(table))
    return sorted({str(manifest.parent / row[column]) for row in rows for column in ("reference", "distorted")})


rule isovmaf_shard:
    input:
        manifest=isovmaf["manifest"],
        videos=isovmaf_videos,
    output:
        touch(f"{isovmaf['run']}.shard-{{shard}}-of-{isovmaf['jobs']}"),
    params:
        run=isovmaf["run"],
        options=isovmaf["options"],
        jobs=isovmaf["jobs"],
    threads: 8
    retries: 3
    shell:
        "isovmaf batch {input.manifest:q} --run {params.run:q} --shard {wildcards.shard}/{params.jobs}"
        " --threads {threads} {params.options}"


rule isovmaf_batch:
    input:
        manifest=isovmaf["manifest"],
        shards=[f"{isovmaf['run']}.shard-{shard}-of-{isovmaf['jobs']}" for shard in range(isovmaf["jobs"])],
    output:
        [f"{isovmaf['run']}/{name}" for name in ("results.csv", "results.jsonl", "failures.csv", "bd_rates.csv",
                                                 "report.html")],
    params:
        run=isovmaf["run"],
        options=isovmaf["options"],
    threads: 8
    retries: 3
    shell:
        "isovmaf batch {input.manifest:q} --run {params.run:q} --threads {threads} {params.options}"

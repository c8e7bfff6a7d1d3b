# SPDX-License-Identifier: BSD-2-Clause-Patent
# Scores the pairs of a manifest (CSV) with `isovmaf batch`, as Snakemake rules: one prepares a run folder, one does a
# shard of it, one writes the results. In your Snakefile:
#
#     config["isovmaf"] = {"manifest": "pairs.csv", "run": "results", "shards": 8, "options": "--backend hip"}
#     include: "isovmaf.smk"
#     rule all:
#         input: rules.isovmaf_batch.output
#
# shards        parts of the work, each of which is a job: 2 or more (8)
# prepare       options of isovmaf batch prepare: what is read and scored (none)
# options       options of isovmaf batch: where and how it is scored (none)
# allow_failed  with how many pairs without scores the results are good (with any number)
# The results are made again when the manifest or a video is newer. What was scored before is not scored again.
import csv
import pathlib

isovmaf = {"shards": 8, "prepare": "", "options": "", "allow_failed": 10**9, **config["isovmaf"]}


def isovmaf_videos(_):
    manifest = pathlib.Path(isovmaf["manifest"])
    with open(manifest, newline="", encoding="utf-8-sig") as table:
        rows = list(csv.DictReader(table))
    return sorted({str(manifest.parent / row[column]) for row in rows for column in ("reference", "distorted")})


rule isovmaf_prepare:
    input:
        manifest=isovmaf["manifest"],
        videos=isovmaf_videos,
    output:
        touch(f"{isovmaf['run']}.prepared"),
    params:
        run=isovmaf["run"],
        shards=isovmaf["shards"],
        options=isovmaf["prepare"],
    shell:
        "isovmaf batch prepare {input.manifest:q} --run {params.run:q} --shards {params.shards} {params.options}"


rule isovmaf_shard:
    input:
        rules.isovmaf_prepare.output,
    output:
        touch(f"{isovmaf['run']}.shard-{{shard}}-of-{isovmaf['shards']}"),
    params:
        run=isovmaf["run"],
        shards=isovmaf["shards"],
        options=isovmaf["options"],
    threads: 8
    retries: 3
    shell: # 65: the shard is done, and pairs of it have no scores
        "isovmaf batch --run {params.run:q} --shard {wildcards.shard}/{params.shards} --threads {threads}"
        " {params.options} || [ $? -eq 65 ]"


rule isovmaf_batch:
    input:
        [f"{isovmaf['run']}.shard-{shard}-of-{isovmaf['shards']}" for shard in range(isovmaf["shards"])],
    output:
        [f"{isovmaf['run']}/{name}" for name in ("results.csv", "results.jsonl", "failures.csv", "bd_rates.csv",
                                                 "report.html")],
    params:
        run=isovmaf["run"],
        allow_failed=isovmaf["allow_failed"],
    shell:
        "isovmaf batch merge {params.run:q} --allow-failed {params.allow_failed}"

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Writes results.parquet and failures.parquet beside the results of isovmaf batch.

    results_to_parquet.py FOLDER [--out FOLDER]

Scores are doubles with all their digits, percentiles included. Cells are null where a row has no such score. Memory
does not grow with the number of rows. Needs the Python package pyarrow.
"""

import argparse
import csv
import itertools
import json
import pathlib
import re
import sys

try:
    import pyarrow
    from pyarrow import parquet
except ModuleNotFoundError as error:
    sys.exit(f"results_to_parquet: cannot write Parquet without the package {error.name}: pip install pyarrow")

ROWS_AT_A_TIME = 10_000
TYPES = {"line": pyarrow.int64(), "bit_rate": pyarrow.float64(), "frames": pyarrow.int64(), "reference": pyarrow.string(),
         "distorted": pyarrow.string(), "label": pyarrow.string(), "kind": pyarrow.string(), "message": pyarrow.string(), "models": pyarrow.string(),
         "options": pyarrow.string(), "warnings": pyarrow.string()}
SHIELDED = re.compile(r"'+[=+\-@\t\r]") # text in CSV that would be a formula without its first apostrophe


def plain_text(cell):
    """Text without the apostrophe that CSV files have for spreadsheets."""
    return cell[1:] if SHIELDED.match(cell) else cell


PYTHON_TYPES = {pyarrow.int64(): int, pyarrow.float64(): float, pyarrow.string(): plain_text}


def type_of(column):
    """Columns that do not describe a row are scores."""
    return TYPES.get(column, pyarrow.float64())


def csv_rows(path):
    """Rows of a CSV file with the types of their columns; empty cells are None."""
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        reader.fieldnames = list(map(plain_text, reader.fieldnames))
        converters = {column: PYTHON_TYPES[type_of(column)] for column in reader.fieldnames}
        for row in reader:
            yield {column: None if text == "" else converters[column](text) for column, text in row.items()}


def json_rows(path):
    """The scores of each line of results.jsonl, by the names that columns have. Numbers that are not finite are None."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield {f"{score}_{statistic}": value for score, pooled in row["scores"].items()
                   for statistic, value in pooled.items()} | row["aggregates"]


def result_rows(folder):
    """CSV has infinities and NaN, which JSON has not; JSON has percentiles."""
    for row, scores in zip(csv_rows(folder / "results.csv"), json_rows(folder / "results.jsonl"), strict=True):
        yield scores | row


def write(path, rows, columns):
    """Writes rows, which may lack columns, and returns how many there are. The file appears when it is complete."""
    schema = pyarrow.schema([(column, type_of(column)) for column in columns])
    partial, count = path.with_name(path.name + ".part"), 0
    with parquet.ParquetWriter(partial, schema) as writer:
        while batch := list(itertools.islice(rows, ROWS_AT_A_TIME)):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema))
            count += len(batch)
    partial.replace(path)
    return count


def columns_of(folder, name):
    """All columns of a table, those of the CSV file first."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        columns = dict.fromkeys(map(plain_text, next(csv.reader(file))))
    if name == "results":
        for scores in json_rows(folder / "results.jsonl"):
            columns |= dict.fromkeys(scores)
    return list(columns)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="run folder with results, or a folder of isovmaf rescore")
    parser.add_argument("--out", type=pathlib.Path, help="where the files are written (default: FOLDER)")
    arguments = parser.parse_args()
    out = arguments.out or arguments.folder
    for name, rows in (("results", result_rows(arguments.folder)), ("failures", csv_rows(arguments.folder / "failures.csv"))):
        count = write(out / f"{name}.parquet", rows, columns_of(arguments.folder, name))
        print(f"{count} rows in {out / name}.parquet")


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError, pyarrow.ArrowException) as problem:
        sys.exit(f"results_to_parquet: cannot convert the results: {type(problem).__name__}: {problem}: see with isovmaf batch "
                 "status whether the run is done")

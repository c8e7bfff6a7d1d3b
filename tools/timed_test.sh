#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause-Patent
# timed_test.sh COMMAND...: runs the command of a test, and adds a line to the file $TIMES: how many seconds of processor
# time it and its children took, and the command.
TIMEFORMAT='%U %S'
{ time "$@" 2>&3 3>&-; } 3>&2 2> "$TIMES.$$"
code=$?
if read -r user system < "$TIMES.$$"; then
    awk -v a="$user" -v b="$system" -v command="$*" 'BEGIN { printf "%.2f %s\n", a + b, command }' >> "$TIMES"
fi
rm -f "$TIMES.$$"
exit "$code"

#!/bin/sh
# One call on an accelerator: the final model and two that each left half of the folds out, side by side on one device.
#   sh training/device.sh SECONDS-SINCE-1970     by when all must be in $OUT
set -u
UNTIL=${1:-0}
W=$PWD/training/.work
OUT=${OUT:-$W/out}
PY=${PY:-python3}
export PYTHONUNBUFFERED=1 PYTHONPATH=$PWD OMP_NUM_THREADS=4
mkdir -p "$OUT" /tmp/tl
date +%s; nvidia-smi --query-gpu=name,memory.used --format=csv,noheader 2>/dev/null
run() { "$PY" -m training.train --work "$W" --out /tmp/tl --run "$@" --until "$UNTIL" --seconds 110 ${MORE:-} >"/tmp/tl/$1.log" 2>&1; }
home() { for f in /tmp/tl/minilm_*.[0-9][0-9]; do [ -e "$f" ] && cp "$f" "$OUT/"; done; (cd /tmp/tl && tar czf "$OUT/rest.tgz" *.npz *.jsonl *.log 2>/dev/null); }
run final --epochs 5 --after 26 & A=$!
run half0 --leave-out 0,1 --epochs 3.5 --after 36 & B=$!
run half1 --leave-out 2,3 --epochs 3.5 --after 36 & C=$!
# What is there so far goes home on the way, in case the machine is taken before the end.
while kill -0 $A 2>/dev/null || kill -0 $B 2>/dev/null || kill -0 $C 2>/dev/null; do
  sleep 2
  for f in /tmp/tl/minilm_*.[0-9][0-9]; do T="$OUT/$(basename "$f")"; [ -e "$f" ] && { [ ! -e "$T" ] || [ "$f" -nt "$T" ]; } && cp "$f" "$OUT/"; done
done
wait; home
tail -n 4 /tmp/tl/*.log; ls -la "$OUT"; date +%s

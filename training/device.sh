#!/bin/bash
# The work on an accelerator, in calls that each stay within what one call may carry:
#   device.sh take FOLDER          keep what came along in it (data, base weights in pieces)
#   device.sh start                begin, in the background
#   device.sh wait SECONDS         until all is done or the time is up; says how far it is
#   device.sh bring NAME...        these files of the result into $OUT
# Three chains side by side on one device: the final models, and two that each left half of the folds out; in each the larger
# model learns first and teaches the smaller one.
set -u
W=${W:-/tmp/tl}
PY=${PY:-python3}
LARGE_FINAL=${LARGE_FINAL:-420} LARGE_HALF=${LARGE_HALF:-290} SMALL_FINAL=${SMALL_FINAL:-190} SMALL_HALF=${SMALL_HALF:-150}
export PYTHONUNBUFFERED=1 OMP_NUM_THREADS=4
mkdir -p "$W/data" "$W/base" "$W/out"

chain() { # RUN SECONDS-LARGE SECONDS-SMALL OPTIONS
  local run=$1 large=$2 small=$3; shift 3
  cd "$W/code" || exit 1
  "$PY" -m training.train --work "$W" --model mpnet --run "$run" --seconds "$large" --rate 5e-5 --decay 0.93 --epochs 6 --teach "$@" >"$W/out/large_$run.log" 2>&1
  "$PY" -m training.train --work "$W" --model minilm --run "$run" --seconds "$small" --rate 2e-4 --epochs 12 \
    --teacher "$W/out/teacher_mpnet_$run.npz" "$@" >"$W/out/small_$run.log" 2>&1
  touch "$W/out/$run.chain"
}

case $1 in
  take)
    for f in "${2:-training/.work/carry}"/*; do case $f in *.xz) cp "$f" "$W/data/" ;; *) cp "$f" "$W/base/" ;; esac; done
    rm -rf "$W/code" && mkdir -p "$W/code" && cp -r training "$W/code/" && rm -rf "$W/code/training/.work"
    ls -la "$W/data" "$W/base"; nvidia-smi --query-gpu=name,memory.used --format=csv,noheader 2>/dev/null ;;
  start)
    cp "$0" "$W/device.sh"
    setsid nohup bash "$W/device.sh" work >"$W/out/work.log" 2>&1 </dev/null & ;;
  work)
    chain final "$LARGE_FINAL" "$SMALL_FINAL" &
    chain half0 "$LARGE_HALF" "$SMALL_HALF" --leave-out 0,1 &
    chain half1 "$LARGE_HALF" "$SMALL_HALF" --leave-out 2,3 &
    wait; touch "$W/out/all.done" ;;
  wait)
    for _ in $(seq "$2"); do [ -e "$W/out/all.done" ] && break; sleep 1; done
    tail -qn 2 "$W"/out/*.log; ls -la "$W/out"; date +%s ;;
  bring)
    shift; for f in "$@"; do cp "$W"/out/$f "$OUT/"; done
    (cd "$W/out" && tar czf "$OUT/rest.tgz" ./*.jsonl ./*.log ./scores_*.npz 2>/dev/null); ls -la "$OUT" ;;
esac

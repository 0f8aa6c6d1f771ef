#!/bin/sh
# What runs on the accelerator machine, one subcommand a call; see DEVICE.md. $OUT is where results come back from.
set -eu
W=${TL_WORK:-/tmp/tl}
OUT=${OUT:-$W/back}
PY=${PY:-python3}
export PYTHONUNBUFFERED=1
mkdir -p "$W/data" "$W/base" "$W/out" "$OUT"

take() {  # move what a carry brought to where it outlasts the next call
  for file in training/.work/"$1"/*; do
    case $(basename "$file") in
      train.xz | score.xz) cp "$file" "$W/data/" ;;
      *) cp "$file" "$W/base/" ;;
    esac
  done
  rm -rf "$W/code" && mkdir -p "$W/code/training" && cp training/*.py "$W/code/training/"
}

wait_for() {  # wait_for NAME SECONDS: until out/NAME.done, or the training has ended, or the time is up
  left=$2
  while [ "$left" -gt 0 ] && [ ! -e "$W/out/$1.done" ]; do
    kill -0 "$(cat "$W/pid")" 2>/dev/null || { echo "TRAINING ENDED"; tail -30 "$W/train.log"; break; }
    sleep 2
    left=$((left - 2))
  done
  tail -12 "$W/train.log"
  [ -e "$W/out/$1.done" ] && echo "DONE $1" || echo "NOT DONE $1"
}

back() {  # copy results to where they come back from
  for file in "$@"; do [ -e "$W/out/$file" ] && cp "$W/out/$file" "$OUT/" || echo "no $file"; done
  cp "$W/out/log.jsonl" "$OUT/" 2>/dev/null || true
}

case $1 in
  first)
    take carry1
    nvidia-smi --query-gpu=name,memory.total --format=csv 2>/dev/null || true
    (cd "$W/code" && timeout 150 "$PY" -m training.smoke "$W" ${SMOKE:-})
    cat "$W/mode" ;;
  more) take "$2" ;;
  start)
    take carry3
    [ "$(ls "$W"/base/mpnet.*.part | wc -l)" -eq 24 ] || { echo "pieces of the base weights are missing: send carry1, carry2 again"; exit 3; }
    cd "$W/code"
    # shellcheck disable=SC2046,SC2086
    setsid nohup "$PY" -m training.train --work "$W" $(cat "$W/mode" 2>/dev/null) ${TRAIN:-} >"$W/train.log" 2>&1 </dev/null &
    echo $! >"$W/pid"
    wait_for final "${2:-560}"
    back scores_mpnet_final.npz scores_minilm_final.npz minilm.fp16.00 minilm.fp16.01 minilm.fp16.02 ;;
  weights)  # weights 00 01 02 03
    shift
    for piece in "$@"; do back "mpnet.fp16.$piece"; done
    tail -3 "$W/train.log" ;;
  rest)  # rest SECONDS: wait for the folds, then all scores in one file
    wait_for all "${2:-560}"
    (cd "$W/out" && tar cf scores.tar scores_*.npz log.jsonl)
    back scores.tar ;;
esac
ls -la "$OUT"

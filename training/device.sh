#!/bin/bash
# On the device: dev.sh take            keep what came along in carry/ (data, base pieces, code)
#                dev.sh start SECONDS   begin in the background; trainings must end so many seconds from now
#                dev.sh warm MODEL ...  compile another model, or other options of the same, in the background, while one trains
#                dev.sh tend SECONDS    change that: so many seconds from now
#                dev.sh wait SECONDS FILE   until WORK/FILE is there or the time is up; prints how far it is
#                dev.sh bring NAME...   these files of WORK/bring into $OUT, and logs and scores
set -u
W=${W:-/tmp/training}; PY=${PY:-python3}; C=${C:-carry}
export PYTHONUNBUFFERED=1 TOKENIZER=$W/in/tokenizer.json TOKENIZERS_PARALLELISM=false TORCHINDUCTOR_CACHE_DIR=$W/inductor PYTHONPATH=$W/code TORCHINDUCTOR_FX_GRAPH_CACHE=1
mkdir -p $W/in $W/base $W/out $W/code $W/bring
case $1 in
  take)
    [ -d "$C" ] || { echo "no folder $C here: export C=FOLDER before the call"; exit 1; }
    for f in $C/*; do case $f in */gte.*|*/mpnet.*|*/gte_final.*|*/mpnet_final.*) cp $f $W/base/.p && mv $W/base/.p $W/base/$(basename $f) ;; *.xz|*.json) cp $f $W/in/ ;; esac; done
    [ -d $C/code ] && cp -r $C/code/. $W/code/
    [ -f $W/in/plan.json ] && cp $W/in/plan.json $W/plan.json
    ls -la $W/in $W/base; nvidia-smi --query-gpu=name,memory.used --format=csv,noheader 2>/dev/null; nproc ;;
  start)
    [ -d $W/code/training ] && [ -f $W/plan.json ] || { echo "nothing was taken along: dev.sh take comes first"; exit 1; }
    echo $(( $(date +%s) + $2 )) > $W/t_end
    cd $W/code
    setsid nohup $PY -m training.prep $W/in $W/prep ${PROCS:-16} >$W/out/prep.log 2>&1 </dev/null &
    setsid nohup bash -c "$PY -m training.train --work $W --model ${MODEL:-gte} --run warm --warm ${LAYERS:-} ${WARM:---compile} >$W/out/warm_first.txt 2>&1; touch $W/out/warm.done" >/dev/null 2>&1 </dev/null &
    setsid nohup $PY -m training.runs $W >$W/out/master.txt 2>&1 </dev/null &
    sleep 1; date +%s ;;
  warm)
    cd $W/code
    setsid nohup $PY -m training.train --work $W --model $2 --run warm --warm --compile ${@:3} >$W/out/warm_$2.txt 2>&1 </dev/null & ;;
  tend) echo $(( $(date +%s) + $2 )) > $W/t_end; cat $W/t_end ;;
  wait)
    for _ in $(seq $(( $2 * 2 ))); do [ -e $W/$3 ] && break; sleep .5; done
    echo "--- $(date +%s), t_end $(cat $W/t_end)"; cat $W/out/master.log $W/out/master.txt; tail -n 3 $W/out/prep.log; grep -h per_s $W/out/warm_*.txt | grep 168; for f in $W/out/log_*_*.jsonl; do case $f in *warm*) ;; *) echo $f; grep -v figure $f | tail -n 2; grep figure $f | grep -E 'n100|n60' ;; esac; done; ls -la $W/bring; nvidia-smi --query-gpu=utilization.gpu,memory.used --format=csv,noheader 2>/dev/null ;;
  only) shift; for f in "$@"; do cp $W/bring/$f $OUT/; done; ls -la $OUT ;;
  bring)
    shift; for f in "$@"; do cp $W/bring/$f $OUT/; done
    (cd $W/out && tar czf $OUT/rest.tgz $(ls | grep -E '^scores_.*npz$|\.jsonl$|\.txt$|\.log$')); ls -la $OUT ;;
esac

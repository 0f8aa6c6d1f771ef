"""data/vocab.json and data/tokenizer.json: 18,000 of BERT's pieces: all single characters, small words of de/fr/es, what the data uses most, then BERT's order."""

import collections
import json
import lzma
import math
import os
import random
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

WORK = Path(os.environ.get("TRAINING_WORK", "training/.work"))
bert = (WORK / "gte-small/vocab.txt").read_text(encoding="utf-8").split("\n")
bert = bert[:-1] if bert[-1] == "" else bert
assert (
    len(bert) == 30522 and bert[0] == "[PAD]" and bert[100] == "[UNK]" and bert[101] == "[CLS]" and bert[102] == "[SEP]"
), len(bert)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
SIZE = 18000


def tokenizer(pieces):
    t = Tokenizer(WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
    t.pre_tokenizer = BertPreTokenizer()
    return t


ordered = SPECIAL + [p for p in bert if p not in SPECIAL]
full = tokenizer(ordered)
rng = random.Random(1)
used = collections.Counter()
n = 0
texts = []
for l in lzma.decompress((WORK / "data/rows.jsonl.xz").read_bytes()).decode().split("\n"):
    r = json.loads(l)
    if r["set"] in ("assin1", "indonli"):
        continue
    texts += [c[0] for c in r["claims"] if rng.random() < 0.5]
    if rng.random() < 0.35 or r["set"] in (
        "ragtruth",
        "written",
        "pairs",
        "factscore",
        "defacto",
        "refchecker_dolly",
    ):
        texts.append(r["ctx"][:6000])
for at in range(0, len(texts), 4096):
    for e in full.encode_batch(texts[at : at + 4096], add_special_tokens=False):
        used.update(e.ids)
count = {p: used[i] for i, p in enumerate(ordered)}
small = """der die das und ist nicht ein eine einer eines dem den des von zu mit auf fur als auch es an werden wird aus er sie hat war wurde sind im am bei nach uber oder aber wie so noch nur wenn kann mehr vor zum zur bis durch ohne gegen unter seit jahr jahre prozent million millionen keine kein
le la les des du de et est une un en que qui dans pour pas sur au aux avec ce cette il elle ils elles ne se sont plus par ont ete fait mais ou son sa ses leur leurs nous vous sans sous entre depuis pendant apres avant ans million millions aucune aucun
el los las una uno y o que de del en con por para como mas pero su sus al lo se es son fue era no ha han hay entre sin sobre desde hasta cuando muy este esta estos estas ano anos millon millones ningun ninguna""".split()
base = [p for p in bert if not p.startswith("[")]


def ascii_like(p):
    return all(ord(ch) < 0x250 or ch in "–—‘’“”…•€£™°′″−×≤≥≈→" for ch in p)


single = [p for p in base if len(p.removeprefix("##")) == 1 and (ascii_like(p) or count[p] >= 30)]
must = dict.fromkeys(single + [w for w in dict.fromkeys(small) if w in set(base)])
order = {p: i for i, p in enumerate(base)}
rest = [p for p in base if p not in must and ascii_like(p)]
rest.sort(key=lambda p: order[p] / 9000 - math.log1p(count[p]))
kept = set(must) | set(rest[: SIZE - len(SPECIAL) - len(must)])
pieces = SPECIAL + [p for p in base if p in kept]
place = {p: i for i, p in enumerate(bert)}
rows = [place[p] for p in pieces]
json.dump({"pieces": pieces, "rows": rows}, (WORK / "data/vocab.json").open("w"))
t = tokenizer(pieces)
t.save(str(WORK / "data/tokenizer.json"))
print(len(pieces), "must", len(must), "seen>=6", sum(count[p] >= 6 for p in base))
tot = sum(used.values())
lost = sum(c for p, c in count.items() if p not in kept and p not in SPECIAL)
print("tokens", tot, "share of tokens of dropped pieces", lost / tot)
s = rng.sample(texts, 3000)
a = sum(len(e.ids) for e in full.encode_batch(s, add_special_tokens=False))
b = [e.ids for e in t.encode_batch(s, add_special_tokens=False)]
print("longer by", sum(map(len, b)) / a, "unk", sum(x.count(1) for x in b) / a)

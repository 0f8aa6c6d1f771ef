"""The vocabulary of both models: BERT's word pieces, trimmed to those that English text uses, under ids of our own.

Both base models split words alike (MPNet's ids are BERT's plus four), so one trimmed vocabulary and one tokenizer file
serve both. Word pieces stand in BERT's file by frequency; the first of them stay, and any that the training text uses.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from training.marks import UNKNOWN, Spans

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
PAD, UNK, CLS, SEP = range(4)
SIZE = 18_000
_PLAIN = re.compile(r"(?:##)?[a-z0-9!-/:-@\[-`{-~£€§°–—‘’“”…•½¼×±µ]+")


class Vocabulary:
    """Word pieces with the row of BERT's table that each stands for."""

    def __init__(self, pieces: list[str], rows: list[int]) -> None:
        self.pieces = pieces
        self.rows = rows
        self.tokenizer = tokenizer(pieces)

    @classmethod
    def trimmed(cls, path: Path, texts: Sequence[str], size: int = SIZE) -> Vocabulary:
        """BERT's vocabulary cut to `size`: single characters, then what the texts use often, then the most frequent."""
        bert = path.read_text(encoding="utf-8").splitlines()
        if bert[:1] != ["[PAD]"]:  # MPNet's own file has four lines more: every row would be the word's four further on
            raise ValueError(f"{path}: not BERT's vocabulary; take the one of MiniLM for both models")
        plain = [p for p in bert if _PLAIN.fullmatch(p)]
        full = tokenizer([*SPECIAL, *(p for p in bert if p not in SPECIAL)])
        used: Counter[int] = Counter()
        for at in range(0, len(texts), 4096):
            for one in full.encode_batch(list(texts[at : at + 4096 : 4]), add_special_tokens=False):
                used.update(one.ids)
        count = {p: used[full.token_to_id(p)] for p in plain}
        single = [p for p in plain if len(p.removeprefix("##")) == 1]
        order = {p: at for at, p in enumerate(plain)}
        rest = sorted((p for p in plain if p not in set(single)), key=lambda p: order[p] - 9000 * min(1, count[p] / 20))
        kept = set(single) | set(rest[: size - len(SPECIAL) - len(single)])
        place = {p: at for at, p in enumerate(bert)}
        pieces = SPECIAL + [p for p in plain if p in kept]
        return cls(pieces, [place[p] for p in pieces])

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read what `save` wrote."""
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls(data["pieces"], data["rows"])

    def save(self, path: Path) -> None:
        """Write pieces and rows; `tokenizer.json` beside it is what ships."""
        path.write_text(json.dumps({"pieces": self.pieces, "rows": self.rows}), encoding="utf-8")
        self.tokenizer.save(str(path.with_name("tokenizer.json")))

    def __len__(self) -> int:
        return len(self.pieces)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, nothing added."""
        out: list[list[int]] = []
        for at in range(0, len(texts), 8192):
            out += [
                one.ids for one in self.tokenizer.encode_batch(list(texts[at : at + 8192]), add_special_tokens=False)
            ]
        return out

    def marked(self, texts: Sequence[str], spans: Sequence[Spans | None]) -> tuple[list[list[int]], list[list[int]]]:
        """Token ids, and for each token whether it lies in one of the text's spans (UNKNOWN where nobody said)."""
        ids: list[list[int]] = []
        marks: list[list[int]] = []
        for at in range(0, len(texts), 8192):
            found = self.tokenizer.encode_batch(list(texts[at : at + 8192]), add_special_tokens=False)
            for one, where in zip(found, spans[at : at + 8192], strict=True):
                ids.append(one.ids)
                inside = [int(any(a < end and start < b for a, b in where or ())) for start, end in one.offsets]
                marks.append([UNKNOWN] * len(one.ids) if where is None else inside)
        return ids, marks


def tokenizer(pieces: Sequence[str]) -> Tokenizer:
    """BERT's uncased tokenizer over these pieces; nothing padded, nothing cut, nothing added."""
    made = Tokenizer(WordPiece({p: at for at, p in enumerate(pieces)}, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    return made

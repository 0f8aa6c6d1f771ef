"""Writes small ONNX graphs without the onnx package: what the runtime's tests run on, and a model of a given shape to time.

Only the few parts of the format that are used here: float, int8 and int64 tensors, nodes with plain attributes, one graph.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

FLOAT, INT8, INT64 = 1, 3, 7
_KINDS = {"float32": FLOAT, "uint8": 2, "int8": INT8, "int32": 6, "int64": INT64}


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _int(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _bytes(number: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, value: Any) -> bytes:
    array = np.asarray(value, order="C")
    dims = b"".join(_int(1, size) for size in array.shape)
    return dims + _int(2, _KINDS[array.dtype.name]) + _bytes(8, name) + _bytes(9, array.tobytes())


def _attribute(name: str, value: Any) -> bytes:
    head = _bytes(1, name)
    if isinstance(value, float):
        return head + _varint(2 << 3 | 5) + struct.pack("<f", value) + _int(20, 1)
    if isinstance(value, int):
        return head + _int(3, value) + _int(20, 2)
    return head + b"".join(_int(8, one) for one in value) + _int(20, 7)


def _value(name: str, kind: int, dims: Sequence[str]) -> bytes:
    shape = b"".join(_bytes(1, _bytes(2, dim)) for dim in dims)
    return _bytes(1, name) + _bytes(2, _bytes(1, _int(1, kind) + _bytes(2, shape)))


@dataclass
class Graph:
    """Nodes and constants as they are added; `model` is the file's bytes."""

    nodes: list[bytes] = field(default_factory=list)
    constants: list[bytes] = field(default_factory=list)
    count: int = 0

    def constant(self, value: Any) -> str:
        """A tensor that is part of the graph."""
        self.count += 1
        self.constants.append(_tensor(f"c{self.count}", value))
        return f"c{self.count}"

    def node(self, kind: str, *inputs: str, outputs: int = 1, name: str = "", **attributes: Any) -> Any:
        """A node; gives the name of its output, or the names of several."""
        self.count += 1
        made = [name] if name else [f"n{self.count}_{at}" for at in range(outputs)]
        parts = [_bytes(1, one) for one in inputs] + [_bytes(2, one) for one in made]
        parts += [_bytes(4, kind), *(_bytes(5, _attribute(key, value)) for key, value in attributes.items())]
        self.nodes.append(b"".join(parts))
        return made[0] if len(made) == 1 else made

    def model(self, inputs: Mapping[str, Sequence[str]], *outputs: tuple[str, Sequence[str]]) -> bytes:
        """The whole file: int64 inputs by name with their free dimensions, float outputs."""
        graph = b"".join(_bytes(1, node) for node in self.nodes) + _bytes(2, "g")
        graph += b"".join(_bytes(5, tensor) for tensor in self.constants)
        graph += b"".join(_bytes(11, _value(name, INT64, dims)) for name, dims in inputs.items())
        graph += b"".join(_bytes(12, _value(name, FLOAT, dims)) for name, dims in outputs)
        return _int(1, 8) + _bytes(7, graph) + _bytes(8, _int(2, 17))


def tiny(vocabulary: int, seed: int = 5) -> bytes:
    """A support model of random weights: three numbers for each token, summed over mask and segment, and how wrong each is. For tests."""
    rng, graph = np.random.default_rng(seed), Graph()
    worth = graph.constant(rng.normal(size=(vocabulary, 3)).astype(np.float32))
    tokens = graph.node("Gather", worth, "ids")
    last = graph.constant(np.array([2], dtype=np.int64))
    mask = graph.node("Unsqueeze", graph.node("Cast", "mask", to=FLOAT), last)
    claim = graph.node("Sub", graph.constant(np.float32(1.5)), graph.node("Cast", "segment", to=FLOAT))
    kept = graph.node("Mul", graph.node("Mul", tokens, mask), graph.node("Unsqueeze", claim, last))
    summed = graph.node("ReduceSum", kept, graph.constant(np.array([1], dtype=np.int64)), keepdims=0)
    graph.node("LogSoftmax", summed, name="classes", axis=-1)
    wrong = graph.constant(rng.normal(size=(vocabulary,)).astype(np.float32))
    graph.node("Gather", wrong, "ids", name="wrong")
    free = ("batch", "length")
    return graph.model({"ids": free, "mask": free, "segment": free}, ("classes", ("batch", "three")), ("wrong", free))


# --- an encoder of a given shape, int8, random weights: for timing only ------------------------------------------------


@dataclass(frozen=True)
class Shape:
    """A transformer encoder. The default is ModernBERT-base: 22 layers, 768 wide, 12 heads, gated feed-forward of 1,152."""

    layers: int = 22
    width: int = 768
    heads: int = 12
    inner: int = 1152
    vocabulary: int = 2000


def encoder(shape: Shape = Shape(), seed: int = 5) -> bytes:  # noqa: B008 - frozen
    """The graph, weights quantised per tensor and activations dynamically, as int8 exports do it; rotary positions left out."""
    rng, graph = np.random.default_rng(seed), Graph()
    table = graph.constant(rng.normal(size=(shape.vocabulary, shape.width)).astype(np.float32))
    flow = graph.node("Gather", table, "ids")
    for _ in range(shape.layers):
        flow = graph.node("Add", flow, _attention(graph, _normal(graph, flow, shape), shape, rng))
        flow = graph.node("Add", flow, _feed(graph, _normal(graph, flow, shape), shape, rng))
    first = graph.node("Gather", flow, graph.constant(np.array(0, dtype=np.int64)), axis=1)
    graph.node("ReduceMean", first, name="logit", axes=[1], keepdims=0)
    return graph.model({"ids": ("batch", "length")}, ("logit", ("batch",)))


def _linear(graph: Graph, flow: str, size: tuple[int, int], rng: np.random.Generator) -> str:
    weight = graph.constant(rng.integers(-90, 90, size=size).astype(np.int8))
    quick, scale, zero = graph.node("DynamicQuantizeLinear", flow, outputs=3)
    whole = graph.node("MatMulInteger", quick, weight, zero, graph.constant(np.array(0, dtype=np.int8)))
    both = graph.node("Mul", scale, graph.constant(np.float32(0.02 / size[0] ** 0.5)))
    return str(graph.node("Mul", graph.node("Cast", whole, to=FLOAT), both))


def _normal(graph: Graph, flow: str, shape: Shape) -> str:
    one = graph.constant(np.ones(shape.width, dtype=np.float32))
    return str(graph.node("LayerNormalization", flow, one, axis=-1, epsilon=1e-5))


def _attention(graph: Graph, flow: str, shape: Shape, rng: np.random.Generator) -> str:
    each = shape.width // shape.heads
    heads = graph.constant(np.array([0, 0, shape.heads, each], dtype=np.int64))
    three = [_linear(graph, flow, (shape.width, shape.width), rng) for _ in range(3)]
    q, k, v = (graph.node("Reshape", one, heads) for one in three)
    q, v = (graph.node("Transpose", one, perm=[0, 2, 1, 3]) for one in (q, v))
    k = graph.node("Transpose", k, perm=[0, 2, 3, 1])
    raw = graph.node("Mul", graph.node("MatMul", q, k), graph.constant(np.float32(each**-0.5)))
    seen = graph.node("MatMul", graph.node("Softmax", raw, axis=-1), v)
    back = graph.node("Transpose", seen, perm=[0, 2, 1, 3])
    joined = graph.node("Reshape", back, graph.constant(np.array([0, 0, shape.width], dtype=np.int64)))
    return _linear(graph, joined, (shape.width, shape.width), rng)


def _feed(graph: Graph, flow: str, shape: Shape, rng: np.random.Generator) -> str:
    gate = _linear(graph, flow, (shape.width, shape.inner), rng)
    value = _linear(graph, flow, (shape.width, shape.inner), rng)
    curved = graph.node("Mul", gate, graph.node("Sigmoid", gate))
    return _linear(graph, graph.node("Mul", curved, value), (shape.inner, shape.width), rng)

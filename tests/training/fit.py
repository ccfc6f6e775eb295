"""Fits the general reader's net to drawn indices; needs torch and Pillow (extra `train`), minutes to an hour.

    python -m tests.training.fit OUT.npz --fonts DIR.. [--art DIR..] [--rounds 3] [--samples 7000] [--passes 5]

Every round draws new samples and goes over them a few times, moved a little. The same seed, fonts and
versions give the same file but for the last digits. What went in is written into the file.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import nn

from deals.cards import CARDS
from tests.training.indices import Art, draw
from tests.training.prints import Prints
from vision.features import look_at
from vision.general import GLYPHS, net_input
from vision.layout import canvas, find_layout
from vision.outline import cards_in
from vision.synthetic import art as our_art

CHANNELS: Final = (12, 24, 48, 64)
HIDDEN: Final = 96


class Net(nn.Module):
    """Four convolutions with pooling, one hidden layer; answers glyph, suit and whether an index is there."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = CHANNELS
        self.layers = nn.Sequential(
            *(nn.Conv2d(3, a, 3, padding=1), nn.BatchNorm2d(a), nn.ReLU(), nn.MaxPool2d(2)),
            *(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(), nn.MaxPool2d(2)),
            *(nn.Conv2d(b, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU()),
            *(nn.Conv2d(c, d, 3, padding=1), nn.BatchNorm2d(d), nn.ReLU(), nn.MaxPool2d(2)),
        )
        self.hidden = nn.Sequential(
            nn.Dropout(0.25), nn.Linear(d * 7 * 4, HIDDEN), nn.ReLU(), nn.Dropout(0.1)
        )
        self.answer = nn.Linear(HIDDEN, len(GLYPHS) + 4 + 1)

    def forward(self, x: Any) -> Any:
        """(n, 3, 56, 32) -> (n, glyphs + suits + 1) logits."""
        return self.answer(self.hidden(self.layers(x).flatten(1)))


def samples(
    prints: Prints, art: Sequence[Art], count: int, rng: np.random.Generator
) -> tuple[Any, Any, Any]:
    """Inputs (n, 3, 56, 32), glyphs and suits; -1 where there is no index."""
    images = np.empty((count, 3, 56, 32), np.float32)
    glyphs, suits = np.empty(count, np.int64), np.empty(count, np.int64)
    for k in range(count):
        one = draw(prints, art, rng)
        images[k] = net_input(look_at(one.patch)).transpose(2, 0, 1)
        glyphs[k], suits[k] = one.glyph, one.suit
    return images, glyphs, suits


def loss_of(answer: Any, glyphs: Any, suits: Any) -> Any:
    """Cross entropies of glyph and suit where there is an index, and of its presence."""
    count = len(GLYPHS)
    there = (glyphs >= 0).float()
    ask = nn.functional.cross_entropy
    loss = ask(answer[:, :count], glyphs, ignore_index=-1, label_smoothing=0.02)
    loss = loss + ask(answer[:, count : count + 4], suits, ignore_index=-1, label_smoothing=0.02)
    return loss + nn.functional.binary_cross_entropy_with_logits(answer[:, -1], there)


def folded(net: Net) -> dict[str, np.ndarray[Any, Any]]:
    """The weights with batch norms folded into their convolutions, as `vision.general` wants them."""
    found: dict[str, Any] = {}
    layers = list(net.layers)
    for k, at in enumerate(i for i, layer in enumerate(layers) if isinstance(layer, nn.Conv2d)):
        conv, norm = layers[at], layers[at + 1]
        factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        found[f"conv{k}"] = (conv.weight * factor[:, None, None, None]).permute(2, 3, 1, 0)
        found[f"bias{k}"] = (conv.bias - norm.running_mean) * factor + norm.bias
    found["hidden"], found["hidden_bias"] = net.hidden[1].weight.T, net.hidden[1].bias
    found["answer"], found["answer_bias"] = net.answer.weight.T, net.answer.bias
    return {name: one.detach().numpy().astype(np.float16) for name, one in found.items()}


def _art(folders: Sequence[Path]) -> list[Art]:
    designs = [{card: our_art.face(name, card) for card in CARDS} for name in our_art.DESIGNS]
    designs += [our_art.load_art(folder) for folder in folders]
    found = []
    for faces in designs:
        views = []
        for card in CARDS:
            pair = list(cards_in(faces[card]))[-1]
            views.append(canvas(faces[card], pair[0]))
        found.append(Art(faces, find_layout(np.stack(views)).zoom))
    return found


def main() -> None:
    """Trains and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--fonts", type=Path, nargs="+", required=True)
    parser.add_argument("--art", type=Path, nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samples", type=int, default=7_000)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    prints, art = Prints.from_folders(options.fonts), _art(options.art)
    print(f"{prints.count} hands, art with zooms {[round(one.zoom, 2) for one in art]}", flush=True)
    net = Net()
    steps = options.rounds * options.passes * (options.samples // 128)
    adam = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, 3e-3, total_steps=steps)
    for number in range(options.rounds):
        start = time.process_time()
        rng = np.random.default_rng([options.seed, number])
        data = samples(prints, art, options.samples, rng)
        told = [_round(net, data, adam, rate) for _ in range(options.passes)]
        took = time.process_time() - start
        print(f"round {number}: {told[0]} .. {told[-1]} in {took:.0f} s", flush=True)
        net.eval()
        about = {
            "seed": options.seed,
            "rounds": number + 1,
            "samples": options.samples,
            "passes": options.passes,
            "fonts": prints.count,
            "art": len(art),
            "torch": torch.__version__,
        }
        with options.out.open("wb") as file:
            np.savez_compressed(file, about=np.array(json.dumps(about)), **folded(net))
        net.train()


def moved(x: Any) -> Any:
    """Every image of a batch turned, grown and shifted a little, so that no pass sees the same twice."""
    count = len(x)
    angle, grow = torch.randn(count) * 0.035, 1 + torch.randn(count) * 0.05
    cos, sin = torch.cos(angle) * grow, torch.sin(angle) * grow
    # Normalised coordinates: the patch is 56 high and 32 wide.
    theta = torch.stack(
        [
            cos,
            -sin * 56 / 32,
            torch.randn(count) * 0.06,
            sin * 32 / 56,
            cos,
            torch.randn(count) * 0.05,
        ],
        1,
    ).view(count, 2, 3)
    grid = nn.functional.affine_grid(theta, list(x.shape), align_corners=False)
    return nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)


def _round(net: Net, data: tuple[Any, Any, Any], adam: Any, rate: Any) -> str:
    """One pass over new samples; tells the share that was right before it was learned from."""
    order = torch.randperm(len(data[0]))
    images, glyphs, suits = (torch.from_numpy(one)[order] for one in data)
    count, right, there, present = len(GLYPHS), 0, 0, 0
    for at in range(0, len(images) - 127, 128):
        x, g, s = images[at : at + 128], glyphs[at : at + 128], suits[at : at + 128]
        answer = net(moved(x))
        loss = loss_of(answer, g, s)
        adam.zero_grad()
        loss.backward()
        adam.step()
        rate.step()
        good = (answer[:, :count].argmax(1) == g) & (answer[:, count : count + 4].argmax(1) == s)
        right += int(good.sum())
        there += int((g >= 0).sum())
        present += int(((answer[:, -1] > 0) == (g >= 0)).sum())
    total = len(images) // 128 * 128
    return f"card {right / max(there, 1):.4f}, presence {present / total:.4f}"


if __name__ == "__main__":
    main()

"""llama.cpp's side of `npm run bench:engine` (4-bit decode, and loading to the first token): reads one request a line on stdin, answers one line of JSON on stdout.

Usage: enginePeerLlama.py THREADS. Request: {file, batch, tokens, reps}. Prompts of 64 ids, greedy, no prompt is kept between requests; the sequences of
a batch are slots of one server, which decodes them together.
"""

import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import xllamacpp

VOCAB = 49152


def serve(request):
    params = xllamacpp.CommonParams()
    params.model.path = request["file"]
    params.n_parallel = request["batch"]
    params.n_ctx = 256 * request["batch"]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[1])
    params.warmup = False
    return xllamacpp.Server(params)


def decode(server, request, pool):
    def one(b):
        answer = server.handle_completions({
            "prompt": [(i * 31 + b * 7) % VOCAB for i in range(64)], "max_tokens": request["tokens"], "n_predict": request["tokens"], "temperature": 0, "ignore_eos": True, "cache_prompt": False,
        })
        if isinstance(answer, (str, bytes)):
            answer = json.loads(answer)
        assert answer["usage"]["completion_tokens"] == request["tokens"], answer["usage"]

    list(pool.map(one, range(request["batch"])))


servers = {}
for line in sys.stdin:
    request = json.loads(line)
    if request["work"].startswith("load"):
        each = []
        for _ in range(request["reps"]):
            start = time.perf_counter()
            server, pool = serve(request), ThreadPoolExecutor(1)
            decode(server, request, pool)
            each.append((time.perf_counter() - start) * 1000)
            del server
        print(json.dumps({"ms": statistics.median(each), "each": each}), flush=True)
        continue
    key = json.dumps({**request, "reps": 0}, sort_keys=True)
    if key not in servers:
        servers[key] = (serve(request), ThreadPoolExecutor(request["batch"]))
        decode(servers[key][0], request, servers[key][1])
    server, pool = servers[key]
    each = []
    for _ in range(request["reps"]):
        start = time.perf_counter()
        decode(server, request, pool)
        each.append((time.perf_counter() - start) * 1000)
    print(json.dumps({"ms": statistics.median(each), "each": each}), flush=True)

"""An OpenAI-compatible server that is not ours: xllamacpp's, on one GGUF file. Usage: localJudge.py MODEL PORT"""
import sys
import time

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[2])
params.n_parallel = 2
params.n_ctx = 8192
params.cpuparams.n_threads = 2
params.cpuparams_batch.n_threads = 2
params.warmup = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
while True:
    time.sleep(1)

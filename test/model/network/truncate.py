# Writes truncate.cases.json: what transformers' warpers keep of random logits. Run with the peers' Python (test/bench/venv.ts).
import json, random, sys
import torch
from transformers.generation.logits_process import MinPLogitsWarper, RepetitionPenaltyLogitsProcessor, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

random.seed(0)
torch.manual_seed(0)
cases = []
for i in range(48):
    vocab = 40
    logits = (torch.randn(1, vocab) * random.choice([0.5, 2, 6])).round(decimals=3)
    case = {"logits": [round(x, 3) for x in logits[0].tolist()], "temperature": random.choice([0.6, 1.0, 1.7])}
    seen = None
    if i % 4 == 3:
        case["repetitionPenalty"] = random.choice([1.1, 1.5, 0.8])
        case["seen"] = [random.randrange(vocab) for _ in range(12)]
        logits = RepetitionPenaltyLogitsProcessor(case["repetitionPenalty"])(torch.tensor([case["seen"]]), logits)
        case["penalised"] = [round(x, 6) for x in logits[0].tolist()]
    scores = TemperatureLogitsWarper(case["temperature"])(None, logits)
    if i % 3 != 1:
        case["topK"] = random.choice([1, 3, 10, 40, 60])
        scores = TopKLogitsWarper(case["topK"])(None, scores)
    if i % 3 != 0:
        case["topP"] = random.choice([0.05, 0.3, 0.8, 0.95, 0.999])
        scores = TopPLogitsWarper(case["topP"])(None, scores)
    if i % 5 < 2:
        case["minP"] = random.choice([0.02, 0.1, 0.6])
        scores = MinPLogitsWarper(case["minP"])(None, scores)
    case["kept"] = [j for j in range(vocab) if scores[0, j] > -1e30]
    case["logprobs"] = [round(float(x), 6) for x in torch.log_softmax(scores, -1)[0, case["kept"]]]
    cases.append(case)
json.dump(cases, sys.stdout)

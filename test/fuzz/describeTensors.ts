/** All that is read of a GGUF file: sizes, weights, tokenizer and template. */
import { Gguf } from '../../trainer/model/weights/gguf';
import { ggufConfig, ggufTensors } from '../../trainer/model/weights/ggufModel';
import { ggufTemplate, ggufTokenizer } from '../../trainer/model/weights/ggufTokenizer';
import type { Step } from './targets';

export async function describeTensors(path: string, step: Step): Promise<void> {
  let opened: Gguf | null = null;
  await step('open', () => void (opened = Gguf.open(path)));
  if (opened === null) return;
  const file = opened as Gguf;
  try {
    await step('tensors', () => {
      for (const tensor of ggufTensors(file, ggufConfig(file))) void tensor;
    });
    await step('tokenizer', () => void ggufTokenizer(file).encode('ab'));
    await step('template', () => void ggufTemplate(file).format);
  } finally {
    file.close();
  }
}

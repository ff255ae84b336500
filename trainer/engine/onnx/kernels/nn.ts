import { node } from '../value';
import { kernel } from './register';

export function registerNn(): void {
  kernel<{ dim: number }>('Softmax', (on) => node('Softmax', [on('logits')], on('logits').shape, 'float32', { axis: on.attrs.dim }));
  kernel<{ axis: number }>('LogSoftmax', (on) => node('LogSoftmax', [on('logits')], on('logits').shape, 'float32', { axis: on.attrs.axis }));
}

import { add, binary, cast, mul, sub, unary } from '../ops';
import { node, scalar } from '../value';
import { channelsFirst, channelsLast } from './conv';
import { kernel } from './register';

export function registerNn(): void {
  kernel<{ dim: number }>('Softmax', (on) =>
    node('Softmax', [on('logits')], on('logits').shape, 'float32', { axis: on.attrs.dim }),
  );
  kernel<{ axis: number }>('LogSoftmax', (on) =>
    node('LogSoftmax', [on('logits')], on('logits').shape, 'float32', { axis: on.attrs.axis }),
  );
  kernel<{ varianceEpsilon?: number }>('FusedBatchNorm', (on) => {
    const deviation = unary('Sqrt', add(on('variance'), scalar(on.attrs.varianceEpsilon ?? 0.001)));
    const centred = sub(on('x'), on('mean'));
    const scaled = binary('Div', on.has('scale') ? mul(centred, on('scale')) : centred, deviation, 'float32');
    return on.has('offset') ? add(scaled, on('offset')) : scaled;
  });
  kernel<{ depthRadius: number; bias: number; alpha: number; beta: number }>('LRN', (on) => {
    const x = channelsFirst(cast(on('x'), 'float32'));
    const { depthRadius, bias, alpha, beta } = on.attrs;
    const size = 2 * depthRadius + 1;
    // ONNX divides alpha by the window
    return channelsLast(
      node('LRN', [x], x.shape, 'float32', {
        size,
        alpha: { float: alpha * size },
        beta: { float: beta },
        bias: { float: bias },
      }),
    );
  });
}

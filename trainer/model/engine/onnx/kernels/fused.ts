/** A product or convolution with its bias and activation, as tfjs' fused ops and converted models ask for it. */
import { add, binary, cast, matMul, mul, reshape, unary } from '../ops';
import { node, scalar, type Value } from '../value';
import { convKernel } from './conv';
import { kernel, type Call } from './register';

interface Activation {
  activation: 'linear' | 'relu' | 'relu6' | 'elu' | 'prelu' | 'leakyrelu' | 'sigmoid';
  leakyreluAlpha?: number;
  dataFormat?: string;
}

function finish(on: Call<Activation>, product: Value): Value {
  // with channels first a vector belongs to the channels
  const aligned = (v: Value): Value =>
    on.attrs.dataFormat === 'NCHW' && v.shape.length === 1 && v.shape[0] !== 1 ? reshape(v, [v.shape[0]!, 1, 1]) : v;
  const x = on.has('bias') ? add(product, cast(aligned(on('bias')), product.dtype)) : product;
  const { activation, leakyreluAlpha = 0.2 } = on.attrs;
  switch (activation) {
    case 'linear':
      return x;
    case 'relu':
      return unary('Relu', x);
    case 'elu':
      return unary('Elu', x);
    case 'sigmoid':
      return unary('Sigmoid', x);
    case 'relu6':
      return node('Clip', [x, scalar(0), scalar(6)], x.shape, 'float32');
    case 'leakyrelu':
      return node('LeakyRelu', [x], x.shape, 'float32', { alpha: { float: leakyreluAlpha } });
    case 'prelu': {
      const alpha = aligned(on('preluActivationWeights'));
      return node('Where', [binary('Less', x, scalar(0), 'bool'), mul(x, alpha), x], x.shape, 'float32');
    }
    default:
      throw new Error(`no activation is called ${String(activation)}`);
  }
}

export function registerFused(): void {
  kernel<Activation & { transposeA: boolean; transposeB: boolean }>('_FusedMatMul', (on) =>
    finish(on, matMul(on('a'), on('b'), on.attrs.transposeA, on.attrs.transposeB)),
  );
  kernel<Activation & Parameters<typeof convKernel>[0]['attrs']>('FusedConv2D', (on) =>
    finish(on, convKernel(on, false)),
  );
  kernel<Activation & Parameters<typeof convKernel>[0]['attrs']>('FusedDepthwiseConv2D', (on) =>
    finish(on, convKernel(on, true)),
  );
}

import { cast, matMul, reshape, transpose } from '../ops';
import { int64, leaf, node, type Value } from '../value';
import { kernel } from './register';

interface Attributes {
  size: [number, number];
  alignCorners: boolean;
  halfPixelCenters: boolean;
}
type Weights = (from: number, to: number, attrs: Pick<Attributes, 'alignCorners' | 'halfPixelCenters'>) => Float32Array;

/** Where row `r` of `to` lies among `from`, unrounded. */
function scaleOf(from: number, to: number, alignCorners: boolean): number {
  const isAligned = alignCorners && to > 1;
  return (isAligned ? from - 1 : from) / (isAligned ? to - 1 : to);
}
/** Resizing one axis is a product with a matrix [to, from]; its gradient is the product with the transposed one. */
const bilinear: Weights = (from, to, { alignCorners, halfPixelCenters }) => {
  const matrix = new Float32Array(to * from);
  const scale = scaleOf(from, to, alignCorners);
  for (let r = 0; r < to; r++) {
    const at = halfPixelCenters ? scale * (r + 0.5) - 0.5 : scale * r;
    const low = Math.max(0, Math.floor(at));
    matrix[r * from + low]! += 1 - (at - low);
    matrix[r * from + Math.min(from - 1, Math.ceil(at))]! += at - low;
  }
  return matrix;
};
const nearestIndex = (
  r: number,
  from: number,
  to: number,
  { alignCorners, halfPixelCenters }: Pick<Attributes, 'alignCorners' | 'halfPixelCenters'>,
): number => {
  const at = scaleOf(from, to, alignCorners) * (halfPixelCenters ? r + 0.5 : r);
  return Math.max(0, Math.min(from - 1, alignCorners ? Math.round(at) : Math.floor(at)));
};
const nearest: Weights = (from, to, attrs) => {
  const matrix = new Float32Array(to * from);
  for (let r = 0; r < to; r++) matrix[r * from + nearestIndex(r, from, to, attrs)] = 1;
  return matrix;
};

/** x [n, h, w, c] by rows [H, h] and columns [W, w], or by their transposes. */
function resize(x: Value, rows: Value, columns: Value, isTransposed: boolean): Value {
  const [n, h, w, c] = x.shape as [number, number, number, number];
  const tall = matMul(rows, reshape(x, [n, h, w * c]), isTransposed, false); // [n, H, w * c]
  const height = tall.shape[1]!;
  return matMul(columns, reshape(tall, [n, height, w, c]), isTransposed, false); // [n, H, W, c]
}

export function registerImage(): void {
  const matrix = (weights: Weights, from: number, to: number, attrs: Attributes): Value =>
    leaf(weights(from, to, attrs), [to, from], 'float32');
  kernel<Attributes>('ResizeBilinear', (on) => {
    const x = cast(on('images'), 'float32');
    const { attrs } = on;
    return resize(
      x,
      matrix(bilinear, x.shape[1]!, attrs.size[0], attrs),
      matrix(bilinear, x.shape[2]!, attrs.size[1], attrs),
      false,
    );
  });
  kernel<Attributes>('ResizeNearestNeighbor', (on) => {
    const x = on('images');
    const { attrs } = on;
    const along = (v: Value, axis: 1 | 2): Value => {
      const to = attrs.size[axis - 1]!;
      const index = leaf(
        Int32Array.from({ length: to }, (_, r) => nearestIndex(r, v.shape[axis]!, to, attrs)),
        [to],
        'int32',
      );
      return node(
        'Gather',
        [v, index],
        v.shape.map((d, i) => (i === axis ? to : d)),
        v.dtype,
        { axis },
      );
    };
    return cast(along(along(x, 1), 2), 'float32');
  });
  // tfjs' gradients know alignCorners only
  for (const [name, weights] of Object.entries({ ResizeBilinearGrad: bilinear, ResizeNearestNeighborGrad: nearest })) {
    kernel<Attributes>(name, (on) => {
      const [images, dy] = [on('images'), on('dy')];
      const attrs = { ...on.attrs, halfPixelCenters: false };
      return resize(
        dy,
        matrix(weights, images.shape[1]!, dy.shape[1]!, attrs),
        matrix(weights, images.shape[2]!, dy.shape[2]!, attrs),
        true,
      );
    });
  }
  kernel('FlipLeftRight', (on) => {
    const x = on('image');
    return node('Slice', [x, int64([-1]), int64([-(2 ** 31)]), int64([2]), int64([-1])], x.shape, x.dtype);
  });
  kernel<{ blockSize: number; dataFormat: string }>('DepthToSpace', (on) => {
    const x = on('x');
    const { blockSize: b, dataFormat } = on.attrs;
    if (dataFormat !== 'NHWC') throw new Error(`only NHWC is supported, got ${dataFormat}`);
    const [n, h, w, d] = x.shape as [number, number, number, number];
    const depth = d / (b * b);
    return reshape(transpose(reshape(x, [n, h, w, b, b, depth]), [0, 1, 3, 2, 4, 5]), [n, h * b, w * b, depth]);
  });
}

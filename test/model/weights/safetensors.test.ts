import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { halfToNumber, numberToHalf } from '../../../trainer/model/weights/halfFloat';
import { readSafetensors, readSafetensorsHeader, writeSafetensors } from '../../../trainer/model/weights/safetensors';
import { UserError } from '../../../trainer/protocol/result';

/** Any header with any data, to break. */
function raw(header: unknown, data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, data]);
}
const fails = (source: string | Uint8Array, message: RegExp) =>
  assert.throws(
    () => readSafetensors(source),
    (e) => e instanceof UserError && e.border === 'storage' && message.test(e.message) && !!e.hint,
  );

describe('safetensors', () => {
  let dir: string;
  before(() => (dir = mkdtempSync(join(tmpdir(), 'coach-st-'))));
  after(() => rmSync(dir, { recursive: true }));

  const tensors = new Map([
    ['b', { shape: [2, 2], data: Float32Array.of(1, -2, 0.5, 3.25) }],
    ['a', { shape: [], data: Float32Array.of(7) }],
    ['empty', { shape: [0, 3], data: new Float32Array(0) }],
  ]);

  it('writes what it reads, from bytes and from a file, names sorted and the data 8-byte aligned', () => {
    const bytes = writeSafetensors(tensors, { metadata: { format: 'pt' } });
    const file = join(dir, 'x.safetensors');
    writeFileSync(file, bytes);
    for (const source of [bytes, file]) {
      const read = readSafetensors(source);
      assert.deepEqual([...read.keys()], ['a', 'b', 'empty']);
      assert.deepEqual(read.get('b'), { dtype: 'F32', ...tensors.get('b')! });
      assert.deepEqual(read.get('empty')!.shape, [0, 3]);
    }
    assert.deepEqual(readSafetensorsHeader(file).metadata, { format: 'pt' });
    assert.equal(Number(Buffer.from(bytes).readBigUInt64LE()) % 8, 0);
    assert.deepEqual(writeSafetensors(new Map([...tensors].reverse()), { metadata: { format: 'pt' } }), bytes);
  });

  it('every one of the 65536 halves survives number -> half -> number', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = halfToNumber(bits);
      if (Number.isNaN(value)) assert.ok(Number.isNaN(halfToNumber(numberToHalf(value))));
      else assert.equal(numberToHalf(value), bits, `bits ${bits}`);
    }
  });

  it('rounds to the nearest half, ties to even', () => {
    // Halves near 1 are 2^-10 apart: 1 + 2^-11 lies between 1 (even) and 1 + 2^-10; 1 + 3*2^-11 between 1 + 2^-10 (odd)
    // and 1 + 2^-9.
    assert.equal(halfToNumber(numberToHalf(1 + 2 ** -11)), 1);
    assert.equal(halfToNumber(numberToHalf(1 + 3 * 2 ** -11)), 1 + 2 ** -9);
    assert.equal(halfToNumber(numberToHalf(1 + 2 ** -11 + 2 ** -20)), 1 + 2 ** -10);
    assert.equal(numberToHalf(65519), 0x7bff); // below the middle of 65504 and 65536
    assert.equal(numberToHalf(65520), 0x7c00);
    assert.equal(halfToNumber(numberToHalf(2 ** -25)), 0); // tie with the smallest subnormal 2^-24: to even
    assert.equal(halfToNumber(numberToHalf(2 ** -25 * 1.5)), 2 ** -24);
    assert.throws(
      () => writeSafetensors(new Map([['w', { shape: [1], data: Float32Array.of(70000) }]]), { dtype: 'F16' }),
      /w holds 70000/,
    );
    const back = readSafetensors(writeSafetensors(tensors, { dtype: 'F16' })).get('b')!;
    assert.deepEqual([back.dtype, [...back.data]], ['F16', [1, -2, 0.5, 3.25]]);
  });

  it('reads BF16, F64 and I64 as float32', () => {
    const data = new Uint8Array(4 + 8 + 8 + 1); // an odd start for the caller's view
    const view = new DataView(data.buffer, 1);
    view.setUint16(0, 0x3fc0, true); // 1.5
    view.setUint16(2, 0xc000, true); // -2
    view.setFloat64(4, 0.1, true);
    view.setBigInt64(12, -5n, true);
    const header = {
      x: { dtype: 'BF16', shape: [2], data_offsets: [0, 4] },
      y: { dtype: 'F64', shape: [1], data_offsets: [4, 12] },
      z: { dtype: 'I64', shape: [1], data_offsets: [12, 20] },
    };
    const read = readSafetensors(raw(header, data.subarray(1)));
    assert.deepEqual(
      [...read.get('x')!.data, read.get('y')!.data[0], read.get('z')!.data[0]],
      [1.5, -2, Math.fround(0.1), -5],
    );
    view.setBigInt64(12, 2n ** 24n + 1n, true);
    fails(raw(header, data.subarray(1)), /tensor z\[0\]: 16777217 has no exact float32/);
  });

  it('says where a file is cut, at every length', () => {
    const bytes = writeSafetensors(tensors);
    const file = join(dir, 'cut.safetensors');
    writeFileSync(file, bytes);
    for (let size = bytes.length - 1; size >= 0; size -= 7) {
      truncateSync(file, size);
      fails(file, /cut\.safetensors: is (truncated|no safetensors)/);
      fails(bytes.subarray(0, size), /is (truncated|no safetensors)/);
    }
  });

  it('refuses headers that lie', () => {
    const entry = { dtype: 'F32', shape: [1], data_offsets: [0, 4] };
    const four = new Uint8Array(4);
    fails(raw('{not json'), /header is not JSON/);
    fails(raw('[]'), /must be a JSON object/);
    fails(raw({ __metadata__: { a: 1 } }), /__metadata__/);
    fails(raw({ w: { ...entry, dtype: 'Q4' } }, four), /tensor w: dtype must be one of F32.*got "Q4"/);
    fails(raw({ w: { ...entry, shape: [2] } }, four), /tensor w: F32 \[2\] needs 8 bytes, data_offsets give 4/);
    fails(raw({ w: { ...entry, shape: [-1] } }, four), /shape must be whole numbers/);
    fails(raw({ w: { ...entry, data_offsets: [4, 0] } }, four), /data_offsets must be/);
    fails(raw({ w: null }, four), /tensor w: shape/);
    fails(raw({ v: entry, w: entry }, four), /tensor w starts at byte/); // overlap
    fails(raw({ w: { ...entry, data_offsets: [4, 8] } }, new Uint8Array(8)), /tensor w starts at byte/); // hole
    fails(raw({ w: entry }, new Uint8Array(5)), /1 bytes behind the last tensor/);
    const huge = Buffer.alloc(16);
    huge.writeBigUInt64LE(2n ** 63n);
    fails(huge, /header would be/);
    fails(join(dir, 'absent.safetensors'), /can't be read/);
    fails(dir, /not a file/);
  });

  const golden = process.env['COACH_GOLDEN'] ?? join(__dirname, '../../../../shared/golden');
  it('reads an adapter that PEFT wrote, and writes the same bytes', function () {
    const file = join(golden, 'e2e/llama/adapter/adapter_model.safetensors');
    try {
      readSafetensorsHeader(file);
    } catch {
      this.skip();
    }
    const again = writeSafetensors(readSafetensors(file), { metadata: readSafetensorsHeader(file).metadata });
    assert.deepEqual(Buffer.from(again), readFileSync(file));
  });
});

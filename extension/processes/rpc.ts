/**
 * Typed requests over JSON-RPC: parameters by type, replies parsed by the schema of trainer/protocol. Free of
 * `vscode`.
 */
import type { MessageConnection } from 'vscode-jsonrpc/node';
import type { Params, Reply } from '../../trainer/protocol/serviceMethods';
import type { z } from 'zod';

type Methods = Record<string, readonly [z.ZodType, z.ZodType]>;

/** @throws what the other side answered, or that it did not answer in time, or in another shape than agreed */
export async function request<M extends Methods, N extends keyof M & string>(
  connection: MessageConnection,
  methods: M,
  name: N,
  params: Params<M[N]>,
  timeoutMs: number,
): Promise<Reply<M[N]>> {
  const reply = await withTimeout(connection.sendRequest(name, params), timeoutMs, name);
  return methods[name]![1].parse(reply) as Reply<M[N]>;
}

export function withTimeout<T>(promise: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no answer after ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

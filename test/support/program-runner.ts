/** The small process that starts programs for `run-program.ts`: named pipes bring requests and take away results. */

import { spawnSync } from 'node:child_process'
import { openSync, readSync, writeSync } from 'node:fs'
import type { ProgramResult, RunProgramOptions } from './run-program.ts'

export interface ProgramRequest extends Required<Omit<RunProgramOptions, 'input'>> {
  file: string
  args: readonly string[]
}

/** Writes a message: its length, a header as JSON, and as many further bytes as the header has lengths. */
export function writeMessage(pipe: number, header: object, ...parts: readonly Uint8Array[]): void {
  const text = Buffer.from(JSON.stringify({ header, lengths: parts.map(({ length }) => length) }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  for (const bytes of [length, text, ...parts]) {
    for (let at = 0; at < bytes.length; ) at += writeSync(pipe, bytes, at)
  }
}

/** Reads a message; undefined if the other end is closed. */
export function readMessage<Header>(pipe: number): { header: Header; parts: Buffer[] } | undefined {
  const length = readBytes(pipe, 4)
  if (!length) return undefined
  const text = readBytes(pipe, length.readUInt32LE())
  const { header, lengths } = JSON.parse(String(text)) as { header: Header; lengths: number[] }
  return { header, parts: lengths.map((size) => readBytes(pipe, size) ?? Buffer.alloc(0)) }
}

function readBytes(pipe: number, size: number): Buffer | undefined {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; ) {
    const count = readSync(pipe, bytes, at, size - at, null)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}

if (import.meta.main) {
  const [asked = '', answered = ''] = process.argv.slice(2)
  const requests = openSync(asked, 'r')
  const results = openSync(answered, 'w')
  for (;;) {
    const request = readMessage<ProgramRequest>(requests)
    if (!request) break
    const { file, args, ...options } = request.header
    const [input] = request.parts
    const result = spawnSync(file, args, { ...options, input, maxBuffer: 2 ** 30 })
    const { status, signal, error, stdout, stderr } = result
    const header: Omit<ProgramResult, 'stdout' | 'stderr'> = {
      status,
      signal,
      ...(error && { error: error.message }),
    }
    writeMessage(results, header, stdout ?? Buffer.alloc(0), stderr ?? Buffer.alloc(0))
  }
}

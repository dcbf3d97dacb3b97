import { createCipheriv } from 'node:crypto'

/** Bytes that do not compress, the same each time. */
export function noise(length: number): Buffer {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16))
  return cipher.update(Buffer.alloc(length))
}

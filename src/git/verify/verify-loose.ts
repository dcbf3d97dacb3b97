import { createHash } from 'node:crypto'
import { ArchiveError } from '../../errors.ts'
import { streamLooseObject } from '../objects/read-loose-object.ts'
import type { StoredFile } from '../objects/stored-file.ts'

// What is larger is no object that a server takes.
const LARGEST = 512 * 2 ** 20

/**
 * What is wrong with an object in a file of its own, which has this path in its repository; undefined for one that is
 * what its name says.
 */
export async function verifyLoose(file: StoredFile, path: string): Promise<string | undefined> {
  try {
    const { type, size, content } = streamLooseObject(file, (size) => {
      if (size <= LARGEST) return
      throw new ArchiveError('git-too-large', `it has ${size} bytes, too many to compare`)
    })
    const hash = createHash('sha1').update(`${type} ${size}\0`)
    for await (const piece of content) hash.update(piece)
    const oid = hash.digest('hex')
    return path === `objects/${oid.slice(0, 2)}/${oid.slice(2)}`
      ? undefined
      : `it is the object ${oid}`
  } catch (error) {
    if (error instanceof ArchiveError && error.code.startsWith('git-')) return error.message
    throw error
  }
}

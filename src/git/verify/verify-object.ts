import { createHash } from 'node:crypto'
import { ArchiveError } from '../../base/errors.ts'
import { joinChunks } from '../objects/inflate.ts'
import { type GitObject, idOf, isBroken, type StreamedObject } from '../parse/git-object.ts'
import type { MakeFault, Tally } from './faults.ts'
import type { LinkNotes } from './note-links.ts'
import type { ObjectTable } from './object-table.ts'

/** Means to verify the objects of a repository. */
export interface Verification {
  readonly table: ObjectTable
  readonly links: LinkNotes
  readonly fault: MakeFault
  readonly progress: (more: { bytes?: number; objects?: number }) => void
  /** Objects that Git would not write as they are. */
  readonly malformed: Tally
  /** Whether an object names one that does not exist. */
  isIncomplete: boolean
}

/**
 * Reads an object whole, except a large blob, of which only the id is made. Returns a message if it is damaged. Most objects are
 * in memory, and to wait for each would take as long as to inflate it.
 */
export function readObject(
  open: () => Omit<StreamedObject, 'oid'>,
): GitObject | string | Promise<GitObject | string> {
  try {
    const stored = open()
    const { type, content } = stored
    if (Symbol.asyncIterator in content) return readStream(stored).catch(messageOf)
    return { oid: idOf(type, content[0]), type, content: content[0] }
  } catch (error) {
    return messageOf(error)
  }
}

async function readStream(stored: Omit<StreamedObject, 'oid'>): Promise<GitObject> {
  const { type, size, content } = stored
  if (type === 'blob') {
    const hash = createHash('sha1').update(`${type} ${size}\0`)
    for await (const piece of content) hash.update(piece)
    return { oid: hash.digest('hex'), type, content: NOTHING }
  }
  const whole = await joinChunks(stored)
  return { oid: idOf(type, whole), type, content: whole }
}

const NOTHING = Buffer.alloc(0)

/** Notes the type and the links of an object that has its id. Returns a message if it makes no sense. */
export function noteObject(
  object: GitObject,
  number: number,
  verification: Verification,
): string | undefined {
  const { table, links, progress, malformed } = verification
  table.setType(number, object.type)
  progress({ objects: 1 })
  try {
    const odd = (how: string) => malformed.add(object.oid, `${object.type}: ${how}`)
    if (!links.note(object, odd)) verification.isIncomplete = true
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** The message of an error about an object. Throws any other. */
function messageOf(error: unknown): string {
  if (error instanceof ArchiveError && isBroken(error)) return error.message
  throw error
}

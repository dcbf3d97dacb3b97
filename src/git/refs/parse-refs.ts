import { isUtf8 } from 'node:buffer'
import { isFullRefName, isRefTarget, LONGEST_REF } from '../../rules/ref-name.ts'

/** What Git data say of one ref. */
export interface FoundRef {
  name: string
  /** The object it names. */
  oid?: string | undefined
  /** What an annotated tag is for in the end, as far as packed-refs tells. */
  peeled?: string | undefined
  /** The ref that it names instead of an object. */
  target?: string | undefined
}

/** Why something is not a ref that Git would take. */
export interface BrokenRef {
  wrong: string
}

export const isBrokenRef = (ref: FoundRef | BrokenRef): ref is BrokenRef => 'wrong' in ref

const OID = /^(?:[0-9a-f]{64}|[0-9a-f]{40})$/i
const SPACE = /^\s+|\s+$/g

/** The ref that a file of its own holds, HEAD included. */
export function parseLooseRef(name: string, content: Buffer): FoundRef | BrokenRef {
  if (name !== 'HEAD' && !isFullRefName(name))
    return { wrong: `Git takes no ref named ${show(name)}` }
  const text = content.toString('utf8').replace(SPACE, '')
  if (content.length > LONGEST_REF) return { wrong: `${show(name)} holds too much for a ref` }
  const target = /^ref:\s*(\S.*)$/.exec(text)?.[1]
  if (target !== undefined) {
    if (isRefTarget(target)) return { name, target }
    return { wrong: `${show(name)} names ${show(target)}, which is no ref` }
  }
  const [oid = ''] = text.split(/\s/, 1)
  if (OID.test(oid)) return { name, oid: oid.toLowerCase() }
  return { wrong: `${show(name)} holds ${show(text)}, neither an object nor a ref` }
}

/**
 * Takes the lines of packed-refs one by one and tells each ref to `found`; `end` the last one, which a line
 * of what it is peeled to could have followed.
 */
export function parsePackedRefs(found: (ref: FoundRef | BrokenRef) => void) {
  let last: FoundRef | undefined
  const end = () => {
    if (last) found(last)
    last = undefined
  }
  return {
    line(bytes: Buffer) {
      const text = bytes.toString('utf8')
      const peeled = text.startsWith('^') ? text.slice(1).trimEnd() : undefined
      if (peeled !== undefined && last?.peeled === undefined && last && OID.test(peeled)) {
        last.peeled = peeled.toLowerCase()
        return
      }
      end()
      if (text === '' || text.startsWith('#')) return
      const ref =
        bytes.length > LONGEST_REF ? { wrong: `too long: ${show(text)}` } : parsePackedLine(text)
      if (isBrokenRef(ref)) found(ref)
      else last = ref
      if (!isUtf8(bytes)) found({ wrong: `the name ${show(text.slice(41))} is not UTF-8` })
    },
    end,
  }
}

/** The ref in a line of packed-refs that is neither a remark nor what a tag is peeled to. */
export function parsePackedLine(text: string): FoundRef | BrokenRef {
  const [, oid = '', name = ''] = /^(\S+) (.*)$/.exec(text) ?? []
  if (!OID.test(oid)) return { wrong: `expected an object and a ref, found ${show(text)}` }
  if (isFullRefName(name)) return { name, oid: oid.toLowerCase() }
  return { wrong: `Git takes no ref named ${show(name)}` }
}

const show = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** Splits bytes at line feeds, wherever chunks end. Of a longer line `line` is told the first `longest` bytes. */
export function createLineSplitter(longest: number, line: (bytes: Buffer) => void) {
  let pending: Buffer = Buffer.alloc(0)
  const add = (part: Buffer) => {
    const room = longest - pending.length
    pending =
      pending.length === 0
        ? part.subarray(0, room)
        : Buffer.concat([pending, part.subarray(0, room)])
  }
  return {
    see(chunk: Buffer) {
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, end))
        line(pending)
        pending = Buffer.alloc(0)
        start = end + 1
      }
      if (start < chunk.length) {
        add(chunk.subarray(start))
        // The chunk may be used again by whoever it is from.
        pending = Buffer.from(pending)
      }
    },
    /** Tells of what follows the last line feed. */
    end() {
      if (pending.length > 0) line(pending)
    },
  }
}

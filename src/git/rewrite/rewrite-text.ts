import { isUtf8 } from 'node:buffer'

/** The replacements for identities and ids. */
export interface Edits {
  /** The new id of a commit, tag or tree; the same if it keeps its id. */
  idOf(oid: string): string
  /** The new id, whole or its first digits, of a commit that a message names; the same if it stays. */
  namedId?(digits: string): string
  /** A name and address; the same if they stay. */
  personOf(person: GitPerson): GitPerson
  /** A message; the same if it stays. */
  textOf?(text: string): string
  /** The name of a tag; the same if it stays. */
  tagNameOf?(name: string): string
}

/** A person as commits and tags name them. */
export interface GitPerson {
  name: string
  email: string
}

/** Headers with signatures, and with tags that have some: they would no longer fit. */
const SIGNATURES = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag'])
const PEOPLE = new Set(['author', 'committer', 'tagger'])
const LINKS = new Set(['tree', 'parent', 'object'])

/** Ids of commits in messages, whole or their first digits. */
const IDS = /(?<![0-9A-Za-z_])(?:[0-9a-f]{40}|(?=[0-9]*[a-f])[0-9a-f]{7,39})(?![0-9A-Za-z_])/g

/**
 * Rewrites the people in the headers of a commit or tag, and in the lines at the end of a message that name some, such as
 * `Co-authored-by`. A commit or tag that changes loses its signatures. Returns the same bytes if nothing changes.
 */
export function rewriteText(content: Buffer, edits: Edits): Buffer {
  // One character for each byte.
  const whole = content.toString('latin1')
  const found = whole.indexOf('\n\n')
  const end = found < 0 ? whole.length : found
  const message = whole.slice(end)
  let isChanged = false
  const headers = whole
    .slice(0, end)
    .split(/\n(?! )/)
    .map((header) => {
      const space = header.indexOf(' ')
      const [name, value] = [header.slice(0, space), header.slice(space + 1)]
      // The tag in it names a person, too.
      if (name === 'mergetag') isChanged = true
      const now = PEOPLE.has(name)
        ? rewritePerson(value, edits)
        : LINKS.has(name)
          ? edits.idOf(value)
          : name === 'tag'
            ? rewriteName(value, edits)
            : value
      isChanged ||= now !== value
      return { name, line: now === value ? header : `${name} ${now}` }
    })
  const newMessage = message
    .replace(TRAILER, (line, before: string, value: string) => {
      const now = rewritePerson(value, edits)
      isChanged ||= now !== value
      return now === value ? line : before + now
    })
    .replace(BARE_TRAILER, (line, before: string, value: string) => {
      const { email } = edits.personOf({ name: '', email: asText(value) })
      const now = email === asText(value) ? value : asBytes(email)
      isChanged ||= now !== value
      return now === value ? line : before + now
    })
  const { namedId } = edits
  const text = textOf(namedId ? newMessage.replace(IDS, (id) => namedId(id)) : newMessage)
  const editedMessage = text.write(edits.textOf?.(text.text) ?? text.text)
  isChanged ||= editedMessage !== newMessage
  if (!isChanged) return content
  const kept = headers.filter(({ name }) => !SIGNATURES.has(name)).map(({ line }) => line)
  const isTag = headers[0]?.name === 'object'
  const unsigned = isTag ? editedMessage.replace(SIGNATURE, '\n') : editedMessage
  return Buffer.from(kept.join('\n') + unsigned, 'latin1')
}

/** Whether a commit or tag has a signature. */
export function isSigned(content: Buffer): boolean {
  const whole = content.toString('latin1')
  const end = whole.indexOf('\n\n')
  return (
    /^(?:gpgsig|mergetag)/m.test(end < 0 ? whole : whole.slice(0, end)) ||
    (whole.startsWith('object ') && SIGNATURE.test(whole))
  )
}

function rewriteName(bytes: string, { tagNameOf }: Edits): string {
  if (!tagNameOf) return bytes
  const { text, write } = textOf(bytes)
  const now = tagNameOf(text)
  return now === text ? bytes : write(now)
}

/** `Co-authored-by: Ada <ada@example.org>` and the like. */
const TRAILER = /^([A-Za-z][A-Za-z-]{0,40}-by:[ \t]{0,10})([^\n<]{0,500}<[^\n>]{1,500}>)/gim

/** `Signed-off-by: ada@example.org`, without a name. */
const BARE_TRAILER =
  /^([A-Za-z][A-Za-z-]{0,40}-by:[ \t]{0,10})([^\s<>@]{1,64}@[^\s<>@]{1,255})(?=[ \t]*$)/gim

/** The signature at the end of a tag. */
const SIGNATURE =
  /\n-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----\n[\s\S]*$/

const PERSON = /^([^<]*)<([^>]*)>(.*)$/s

function rewritePerson(line: string, { personOf }: Edits): string {
  const [, name, email, rest] = PERSON.exec(line) ?? []
  if (name === undefined || email === undefined || rest === undefined) return line
  const person = { name: asText(name.trim()), email: asText(email.trim()) }
  const now = personOf(person)
  if (now.name === person.name && now.email === person.email) return line
  const newName = now.name === person.name ? name.trim() : asBytes(now.name)
  const newEmail = now.email === person.email ? email.trim() : asBytes(now.email)
  return `${newName}${newName === '' ? '' : ' '}<${newEmail}>${rest}`
}

/** The text of bytes in UTF-8, or else one character for each of them, and the way back. */
export const textOf = (bytes: string): { text: string; write(text: string): string } =>
  isUtf8(Buffer.from(bytes, 'latin1'))
    ? { text: asText(bytes), write: asBytes }
    : { text: bytes, write: (text) => text }

const asText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

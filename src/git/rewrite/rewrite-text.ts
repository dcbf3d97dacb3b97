/** The replacements for identities and ids. */
export interface Edits {
  /** The new id of a commit or tag; the same if it keeps its id. */
  idOf(oid: string): string
  /** A name and address; the same if they stay. */
  personOf(person: GitPerson): GitPerson
}

/** A person as commits and tags name them. */
export interface GitPerson {
  name: string
  email: string
}

/** Headers with signatures, and with tags that have some: they would no longer fit. */
const SIGNATURES = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag'])
const PEOPLE = new Set(['author', 'committer', 'tagger'])
const LINKS = new Set(['parent', 'object'])

/**
 * Rewrites the people in the headers of a commit or tag, and in the lines at the end of a message that name some, such as
 * `Co-authored-by`. A commit or tag that changes loses its signatures. Returns the same bytes if nothing changes.
 */
export function rewriteText(content: Buffer, edits: Edits): Buffer {
  // One character for each byte.
  const text = content.toString('latin1')
  const found = text.indexOf('\n\n')
  const end = found < 0 ? text.length : found
  const message = text.slice(end)
  let isChanged = false
  const headers = text
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
  if (!isChanged) return content
  const kept = headers.filter(({ name }) => !SIGNATURES.has(name)).map(({ line }) => line)
  const isTag = headers[0]?.name === 'object'
  const unsigned = isTag ? newMessage.replace(SIGNATURE, '\n') : newMessage
  return Buffer.from(kept.join('\n') + unsigned, 'latin1')
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

const asText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

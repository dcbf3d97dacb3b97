import { lstatSync, readFileSync, statSync } from 'node:fs'
import { ArchiveError } from '../../base/errors.ts'
import { asBytes } from '../../base/streams.ts'
import { writeFile } from '../../files/write-file.ts'
import { anAccountsFile } from './accounts-shape.ts'

/** The second factor of an account: a TOTP secret in base32, or for tests a code that never changes. */
export type TwoFactor = { delivery: 'app' | 'SMS' } & (
  | { secret: string; code?: never }
  | { code: string; secret?: never }
)

export interface AccountEntry {
  login: string
  /** The id of the account, in place of the one that follows from the archive. */
  id?: number
  /** The first is the primary address. */
  emails?: string[]
  site_admin?: boolean
  /** As `hashPassword` makes it. */
  password?: string
  two_factor?: TwoFactor
}

export interface ApplicationEntry {
  client_id: string
  secret_sha256?: string
  name: string
  url?: string
  native?: boolean
}

export interface OrganizationEntry {
  login: string
  id?: number
  /** Whether tokens of people need an authorization for the organization. */
  sso?: boolean
  members?: { login: string; role: 'admin' | 'member' }[]
}

export interface TokenEntry {
  login: string
  /** SHA-256 of the token in UTF-8: 64 hexadecimal digits. */
  sha256: string
  /** The last eight characters of the token, to tell tokens apart in a list. */
  last_eight?: string
  scopes?: string[]
  note?: string | null
  /** The application that the token was issued to. */
  client_id?: string | null
  /** Organizations that the token is authorized for. */
  sso?: string[]
  expires_at?: string | null
}

/** Who may sign in to a server: the content of an accounts file. It holds no password and no token in clear. */
export interface AccountsFile {
  /** The version of the format. */
  version: 1
  /** The people who may sign in. */
  accounts?: AccountEntry[]
  /** The OAuth applications. */
  applications?: ApplicationEntry[]
  /** The organizations, with what tokens need for them. */
  organizations?: OrganizationEntry[]
  /** The tokens that people have. */
  tokens?: TokenEntry[]
}

/** Logins and names of organizations are the same in upper and lower case. */
export const foldLogin = (login: string): string => login.replace(/[A-Z]/g, (c) => c.toLowerCase())

/**
 * The content of an accounts file.
 *
 * @throws `accounts-invalid` with the member, such as `accounts[2].two_factor.code`, if the text is not JSON, a member
 *   is unknown or has another form, a login, token or address is there twice, or a token belongs to no account
 */
export function parseAccounts(text: string): AccountsFile {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new ArchiveError('accounts-invalid', (error as Error).message, {}, error)
  }
  const mismatch = anAccountsFile(parsed)
  if (mismatch) throw invalid(mismatch.at.slice(1), `expected ${mismatch.expected}`)
  const file = parsed as AccountsFile
  refuseRepeated(file)
  refuseDangling(file)
  return file
}

const invalid = (member: string, message: string) =>
  new ArchiveError('accounts-invalid', message, member === '' ? {} : { member })

function refuseRepeated({
  accounts = [],
  applications = [],
  organizations = [],
  tokens = [],
}: AccountsFile): void {
  const people = [
    ...accounts.map(({ login }, i) => [`accounts[${i}].login`, foldLogin(login)] as const),
    ...organizations.map(
      ({ login }, i) => [`organizations[${i}].login`, foldLogin(login)] as const,
    ),
  ]
  const addresses = accounts.flatMap(({ emails = [] }, i) =>
    emails.map((email, j) => [`accounts[${i}].emails[${j}]`, email.toLowerCase()] as const),
  )
  for (const places of [
    people,
    addresses,
    accounts.map(({ id }, i) => [`accounts[${i}].id`, id] as const),
    applications.map(({ client_id }, i) => [`applications[${i}].client_id`, client_id] as const),
    tokens.map(({ sha256 }, i) => [`tokens[${i}].sha256`, sha256] as const),
  ]) {
    const known = new Map<unknown, string>()
    for (const [member, value] of places) {
      if (value === undefined) continue
      const earlier = known.get(value)
      if (earlier) throw invalid(member, `the same as ${earlier}`)
      known.set(value, member)
    }
  }
}

function refuseDangling({ accounts = [], applications = [], tokens = [] }: AccountsFile): void {
  const logins = new Set(accounts.map(({ login }) => foldLogin(login)))
  const clients = new Set(applications.map(({ client_id }) => client_id))
  for (const [i, { login, client_id }] of tokens.entries()) {
    if (!logins.has(foldLogin(login))) {
      throw invalid(`tokens[${i}].login`, 'expected the login of an account of this file')
    }
    if (client_id != null && !clients.has(client_id)) {
      throw invalid(`tokens[${i}].client_id`, 'expected an application of this file')
    }
  }
}

/** Reads an accounts file. Throws as `parseAccounts` does, and `accounts-invalid` for a file that cannot be read. */
export function readAccountsFile(path: string): AccountsFile {
  try {
    return parseAccounts(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof ArchiveError) throw error.at({ archive: path })
    const { code, message } = error as NodeJS.ErrnoException
    const found = code === 'ENOENT' ? 'there is no such file' : message
    throw new ArchiveError('accounts-invalid', found, { archive: path }, error)
  }
}

/** Whether other users may read a file. Unknown on systems whose users have no numbers. */
export const isOpenToOthers = (path: string): boolean => (statSync(path).mode & 0o044) !== 0

/** Writes an accounts file that only its owner can read. Throws as `parseAccounts` and `writeFile` do. */
export async function writeAccountsFile(path: string, file: AccountsFile): Promise<void> {
  const text = `${JSON.stringify(file, null, 2)}\n`
  parseAccounts(text)
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  if (isLink) {
    throw new ArchiveError('output-refused', 'the file is a symbolic link', { archive: path })
  }
  await writeFile(path, asBytes([Buffer.from(text)]), { force: true, mode: 0o600 })
}

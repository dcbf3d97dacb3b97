import { ArchiveError } from '../../../base/errors.ts'
import { isThere } from '../../../files/write-file.ts'
import {
  type AccountEntry,
  type AccountsFile,
  foldLogin,
  readAccountsFile,
  writeAccountsFile,
} from '../../../http/access/accounts-file.ts'
import { UsageError } from '../../command/usage-error.ts'

/** The argument that every command of the group begins with. */
export const FILE_ARGUMENT = {
  type: 'string',
  demandOption: true,
  describe: 'Accounts file',
} as const

/** An accounts file with all of its lists. */
export type Content = Required<AccountsFile>

/** Reads an accounts file, or begins a new one. Throws as `readAccountsFile` does. */
export function openContent(path: string): Content {
  const file: AccountsFile = isThere(path) ? readAccountsFile(path) : { version: 1 }
  const { accounts = [], applications = [], organizations = [], tokens = [] } = file
  return { version: 1, accounts, applications, organizations, tokens }
}

/**
 * Writes an accounts file without lists that are empty.
 *
 * @throws `usage` if something in it has a wrong form: what was read had not, so it was typed
 */
export async function saveContent(path: string, content: Content): Promise<void> {
  const filled = Object.entries(content).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  )
  try {
    await writeAccountsFile(path, Object.fromEntries(filled) as unknown as AccountsFile)
  } catch (error) {
    if (!(error instanceof ArchiveError && error.code === 'accounts-invalid')) throw error
    throw new UsageError(error.message)
  }
}

/** Finds something by its login, in upper or lower case. */
export const withLogin = <T extends { login: string }>(
  list: readonly T[],
  login: string,
): T | undefined => list.find((one) => foldLogin(one.login) === foldLogin(login))

/** The account with a login, which is added if there is none. */
export function accountOf(content: Content, login: string): AccountEntry {
  const found = withLogin(content.accounts, login)
  if (found) return found
  const account: AccountEntry = { login }
  content.accounts.push(account)
  return account
}

/** A number that pins the one of the archive. */
export function idOf(text: string | undefined): { id?: number } {
  if (text === undefined) return {}
  if (/^[1-9]\d{0,14}$/.test(text)) return { id: Number(text) }
  throw new UsageError(`--id takes a whole number from 1, not ${JSON.stringify(text)}`)
}

/** A list separated by commas. */
export const itemsOf = (text: string | undefined): string[] =>
  text
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '') ?? []

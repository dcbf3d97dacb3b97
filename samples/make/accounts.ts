import type { ArchiveRecord } from '../../src/records/kinds/kinds.ts'
import type { Content } from './content.ts'
import { accountUrl } from './host.ts'

type User = ArchiveRecord<'users'>
type Told = 'name' | 'bio' | 'company' | 'website' | 'location' | 'emails'
type Known = Partial<Pick<User, Told | 'social_accounts' | 'billing_plan'>>

/** Adds a person. `known` is what they tell of themselves, as far as they do. */
export function addUser(content: Content, login: string, created_at: string, known: Known) {
  const { users } = content.records
  users.push({ ...account(login, created_at, users.length), ...known })
}

/** Adds a bot. Its record looks like that of a person with an empty profile. */
export function addBot(content: Content, name: string, created_at: string) {
  const { bots } = content.records
  bots.push(account(`${name}[bot]`, created_at, bots.length + 900))
}

const account = (login: string, created_at: string, index: number): User => ({
  type: 'user',
  url: accountUrl(login),
  avatar_url: `https://avatars.example.org/u/${7_000_100 + index}?v=4`,
  login,
  name: null,
  bio: null,
  company: null,
  website: null,
  location: null,
  emails: [{ address: `${login}@users.noreply.example.org`, primary: true, verified: true }],
  social_accounts: [],
  billing_plan: null,
  created_at,
})

import { sentence, word } from './prose.ts'
import {
  date,
  host,
  loginOf,
  owner,
  randomOf,
  repositoryUrl,
  someUser,
  type World,
} from './world.ts'

export function organization({ counts }: World): object {
  const members = Array.from({ length: Math.min(counts.users, 5000) }, (_, i) => ({
    user: `${host}/${loginOf(i)}`,
    role: i < 3 ? 'admin' : 'direct_member',
    state: 'active',
  }))
  return {
    type: 'organization',
    url: `${host}/${owner}`,
    login: owner,
    name: 'Lanterns',
    description: '',
    website: null,
    location: null,
    email: `1+${owner}@users.noreply.github.com`,
    members,
    owners_team: null,
    webhooks: [],
    created_at: date(0),
  }
}

export function team(world: World, index: number): object {
  const random = randomOf(world, 'teams', index)
  const name = ['Owners', 'Maintainers', 'Triage', 'Docs'][index] as string
  return {
    type: 'team',
    url: `${host}/orgs/${owner}/teams/${name.toLowerCase()}`,
    organization: `${host}/${owner}`,
    parent_team: null,
    name,
    description: sentence(random),
    privacy: index === 0 ? 'secret' : 'closed',
    permissions: [
      { repository: repositoryUrl(0), access: 'push', role: 'maintain' },
      { repository: `${host}/${owner}/not-exported-${index}`, access: 'pull', role: 'read' },
    ],
    members: Array.from({ length: 12 }, () => ({ user: someUser(world, random), role: 'member' })),
    created_at: date(0.001 * index),
  }
}

export function user(world: World, index: number): object {
  const random = randomOf(world, 'users', index)
  const login = loginOf(index)
  return {
    ...account(`${host}/${login}`, login, 10_000 + 37 * index),
    name: random.chance(0.7) ? `${word(random)} ${word(random)}` : null,
    bio: random.chance(0.8) ? sentence(random) : null,
    company: random.chance(0.3) ? word(random) : null,
    website: random.chance(0.4) ? `https://${word(random)}.example/` : null,
    location: random.chance(0.5) ? word(random) : null,
    created_at: date(random.fraction()),
  }
}

export function bot(_world: World, index: number): object {
  return index === 0
    ? account(`${host}/lantern-builder[bot]`, 'lantern-builder[bot]', 7001)
    : account(`${host}/Lamplighter`, 'lamplighter-reviewer[bot]', 7002)
}

function account(url: string, login: string, id: number): object {
  return {
    type: 'user',
    url,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    login,
    name: null,
    bio: null,
    company: null,
    website: null,
    location: null,
    emails: [{ address: `${id}+${login}@users.noreply.github.com`, primary: true, verified: true }],
    social_accounts: [],
    billing_plan: null,
    created_at: date(0),
  }
}

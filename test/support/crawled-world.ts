/** A world in which nothing is missing that its records name. */

import { GIT, gitDataOf, protectedBranches } from '../rest/clients/served-world.ts'
import { commitOf, looseOf, oidOf, repositoryOf } from './build-pack.ts'
import { at, HOST, KETTLE, PULL, pullRequest, SHA, worldRecords } from './rest-world.ts'
import type { WorldWithFiles } from './serve-world.ts'

const topic = commitOf(GIT.tree, 'Another\n', GIT.commit)
const TOPIC = oidOf('commit', topic)

const hook = {
  payload_url: 'https://ada:pw@ci.example/run?token=t0ps3cret',
  content_type: 'json',
  event_types: ['push'],
  enable_ssl_verification: true,
  active: true,
}
const key = { title: 'deploy', key: 'ssh-ed25519 AAAA', read_only: true, fingerprint: 'SHA256:x' }

/** The content of the file of its release. */
export const BYTES = 'It boils.'

/** The world with commits for every ID that its records name, settings and a board. */
export function crawledWorld(): WorldWithFiles {
  const { repositories, organizations, ...others } = worldRecords()
  const records = {
    ...others,
    repositories: repositories.map((each) => ({ ...each, webhooks: [hook], public_keys: [key] })),
    organizations: organizations.map((each) => ({ ...each, webhooks: [hook] })),
    pull_requests: [
      pullRequest(PULL, {
        milestone: `${KETTLE}/milestones/1`,
        head: { ref: 'topic', sha: TOPIC, user: `${HOST}/erin`, repo: KETTLE },
        review_requests: [{ reviewer: `${HOST}/frank`, reviewer_type: 'User', dismissed_at: null }],
      }),
    ],
    protected_branches: protectedBranches,
    projects: [
      {
        type: 'project',
        url: `${KETTLE}/projects/1`,
        creator: `${HOST}/ada`,
        name: 'Tea',
        body: '',
        created_at: at('01:00:00'),
        columns: [{ name: 'Doing', cards: [PULL] }],
      },
    ],
  }
  return {
    records: JSON.parse(JSON.stringify(records).replaceAll(SHA, GIT.commit)),
    files: {
      'releases/1/kettle.zip': BYTES,
      ...gitDataOf('forge/kettle'),
      ...gitDataOf('forge/secret'),
      ...gitDataOf('ada/notes'),
      ...repositoryOf('forge/kettle', looseOf('commit', topic)),
    },
  }
}

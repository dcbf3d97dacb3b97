import { body, sentence, word } from './prose.ts'
import { date, randomOf, repositoryUrl, someUser, type World } from './world.ts'

export function release(world: World, index: number): object {
  const random = randomOf(world, 'releases', index)
  const draft = random.chance(0.03)
  const at = index / world.counts.releases
  const tag = draft ? `untagged-${random.hex(24).slice(0, 20)}` : `v${index}.${random.below(9)}.0`
  return {
    type: 'release',
    url: `${repositoryUrl(0)}/releases/tag/${tag}`,
    repository: repositoryUrl(0),
    user: someUser(world, random),
    name: random.chance(0.8) ? sentence(random) : '',
    tag_name: tag,
    body: body(random, 20),
    state: draft ? 'draft' : 'published',
    pending_tag: tag,
    prerelease: random.chance(0.2),
    target_commitish: 'main',
    release_assets: [],
    published_at: draft ? null : date(at + 0.001),
    created_at: date(at),
  }
}

export function commitComment(world: World, index: number): object {
  const random = randomOf(world, 'commit_comments', index)
  const commit = random.hex(40)
  const inFile = random.chance(0.3)
  return {
    type: 'commit_comment',
    url: `${repositoryUrl(0)}/commit/${commit}#commitcomment-${40_000_000 + index * 17}`,
    repository: repositoryUrl(0),
    user: someUser(world, random),
    body: body(random, 3),
    formatter: 'markdown',
    path: inFile ? `src/${word(random)}.c` : null,
    position: inFile ? random.below(80) : null,
    commit_id: commit,
    reactions: [],
    created_at: date(random.fraction()),
  }
}

import { body, sentence } from './prose.ts'
import { subjectCount } from './subjects.ts'
import { date, randomOf, repositoryUrl, someUser, type World } from './world.ts'

const categories = [
  ['Announcements', ':mega:', 'Updates from maintainers'],
  ['General', ':speech_balloon:', 'Chat about anything and everything here'],
  ['Ideas', ':bulb:', 'Share ideas for new features'],
  ['Polls', ':ballot_box:', 'Take a vote from the community'],
  ['Q&A', ':pray:', 'Ask the community for help'],
  ['Show and tell', ':raised_hands:', "Show off something you've made"],
] as const

export function discussionCategory(_world: World, index: number): object {
  const [name, emoji, description] = categories[index % 6] as (typeof categories)[number]
  const repository = repositoryUrl(index < 6 ? 0 : 1)
  return {
    type: 'discussion_category',
    url: `${repository}/discussion_categories/${encodeURIComponent(name)}`,
    repository,
    name,
    emoji,
    description,
  }
}

export function discussion(world: World, index: number): object {
  const random = randomOf(world, 'discussions', index)
  const at = index / world.counts.discussions
  const category = random.pick(categories)[0]
  return {
    type: 'discussion',
    // After the numbers of the issues and pull requests.
    url: `${repositoryUrl(0)}/discussions/${subjectCount(world) + index + 1}`,
    repository: repositoryUrl(0),
    user: someUser(world, random),
    title: sentence(random),
    body: body(random, 8),
    labels: [],
    reactions: [],
    created_at: date(at),
    updated_at: date(at + 0.001),
    discussion_category: `${repositoryUrl(0)}/discussion_categories/${encodeURIComponent(category)}`,
  }
}

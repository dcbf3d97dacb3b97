import { addBot, addUser } from './accounts.ts'
import { type Content, newContent, newId } from './content.ts'
import { type GitRepository, makeGitRepository } from './git-repository.ts'
import { commits, tags } from './hello-history.ts'
import { tellIssues, tellPullRequests } from './hello-threads.ts'
import { accountUrl, reactionsOf } from './host.ts'
import { addMilestone, addProject, addRelease, type Project, protectMain } from './project.ts'

const mona = 'mona-lindqvist'
const teo = 'teo-park'
const ines = 'ines-okafor'
const rui = 'rui-valdez'

/** The export of mona-lindqvist's account with its one repository. */
export function makeHello(): Content {
  const content = newContent(2026, '2026-02-01T12:00:00Z')
  addPeople(content)
  const git = makeGitRepository(`${mona}/tea-timer`, 'main', commits, tags)
  const project = addTeaTimer(content, git)
  tellIssues(project)
  tellPullRequests(project)
  addDiscussions(project)
  return content
}

function addPeople(content: Content): void {
  addUser(content, mona, '2019-03-08T07:15:00Z', {
    name: 'Mona Lindqvist',
    bio: 'Small tools, large cups. ☕',
    location: 'Somewhere with rain',
    website: 'https://mona.example.org',
    // Only the account that makes an export shows all addresses, and its plan.
    emails: [
      { address: 'mona@example.org', primary: true, verified: true },
      { address: 'mona@tea.example.org', primary: false, verified: false },
    ],
    social_accounts: [{ provider: 'mastodon', url: 'https://social.example.org/@mona' }],
    billing_plan: { name: 'free', space: 976562499, private_repos: 10000 },
  })
  addUser(content, teo, '2020-06-21T20:30:40Z', { name: 'Teo Park', company: 'Kettle & Sons' })
  addUser(content, ines, '2021-01-02T03:04:05Z', { bio: 'I read clocks.' })
  addUser(content, rui, '2023-09-30T23:59:59Z', {})
  addBot(content, 'leaf-updates', '2021-11-01T00:00:00Z')
}

function addTeaTimer(content: Content, git: GitRepository): Project {
  const project = addProject(content, {
    owner: mona,
    by: mona,
    name: 'tea-timer',
    description: 'Tells you when your tea is ready 🫖',
    created_at: '2024-01-14T15:58:00Z',
    git,
    labels: [
      ['bug', 'd73a4a', "Something isn't working"],
      ['enhancement', 'a2eeef', 'New feature or request'],
      ['good first issue', '7057ff', 'Good for newcomers'],
      ['help wanted', '008672', 'Extra attention is needed'],
      ['question', 'd876e3', 'Further information is requested'],
      ['🍵 tea', '4c9a2a', 'About the tea itself'],
    ],
    topics: ['tea', 'timer', 'command-line'],
    more: {
      website: 'https://tea.example.org',
      collaborators: [{ user: accountUrl(teo), permission: 'write' }],
    },
  })
  addMilestone(project, {
    number: 1,
    title: '1.1',
    description: 'A timer that can wait.',
    by: mona,
    at: '2024-06-01T08:00:00Z',
    due_on: '2024-12-01T08:00:00Z',
    closed_at: '2024-11-11T08:10:00Z',
  })
  addMilestone(project, {
    number: 2,
    title: '2.0',
    description: 'More than one cup.',
    by: mona,
    at: '2024-11-12T08:00:00Z',
    due_on: null,
  })
  addRelease(project, {
    tag: 'v1.0.0',
    name: 'Four teas',
    body: 'First release.\r\n\r\n* Black, green, oolong, and now **white** tea by @teo-park (#2)',
    by: mona,
    at: '2024-02-05T18:05:00Z',
  })
  addRelease(project, {
    tag: 'v1.1.0',
    name: 'Patience',
    body: '* Your tea is ready on time even if your computer sleeps, by @ines-okafor (#5)',
    by: mona,
    at: '2024-11-11T08:05:00Z',
  })
  protectMain(project, mona, ['test'])
  addCommitComment(project)
  return project
}

function addCommitComment({ content, url, git }: Project): void {
  const at = '2024-01-21T09:00:00Z'
  const commit_id = git.oid('bell')
  content.records.commit_comments.push({
    type: 'commit_comment',
    url: `${url}/commit/${commit_id}#commitcomment-${newId(content, at)}`,
    repository: url,
    user: accountUrl(teo),
    body: 'I heard that bell from the other room. :+1:',
    formatter: 'markdown',
    path: 'bin.js',
    position: 5,
    commit_id,
    reactions: reactionsOf({ smile: [mona] }, 'CommitComment', at),
    created_at: at,
  })
}

/** Discussions come without what was answered. */
function addDiscussions({ content, url }: Project): void {
  const categories = [
    ['Announcements', ':mega:', 'Updates from maintainers'],
    ['General', ':speech_balloon:', 'Chat about anything and everything here'],
    ['Ideas', ':bulb:', 'Share ideas for new features'],
    ['Polls', ':ballot_box:', 'Take a vote from the community'],
    ['Q&A', ':pray:', 'Ask the community for help'],
    ['Show and tell', ':raised_hands:', "Show off something you've made"],
  ] as const
  const category = (name: string) => `${url}/discussion_categories/${encodeURIComponent(name)}`
  for (const [name, emoji, description] of categories) {
    content.records.discussion_categories.push({
      type: 'discussion_category',
      url: category(name),
      repository: url,
      name,
      emoji,
      description,
    })
  }
  content.records.discussions.push({
    type: 'discussion',
    url: `${url}/discussions/6`,
    repository: url,
    user: accountUrl(rui),
    title: 'Show us your cups',
    body: 'Mine has a whale on it. 🐋\r\n\r\nWhat is on yours?',
    labels: [],
    reactions: reactionsOf(
      { heart: [mona, teo], tada: [ines] },
      'Discussion',
      '2024-12-24T18:00:00Z',
    ),
    created_at: '2024-12-24T18:00:00Z',
    updated_at: '2024-12-26T10:20:30Z',
    discussion_category: category('Show and tell'),
  })
}

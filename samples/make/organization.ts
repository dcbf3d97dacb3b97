import { addBot, addUser } from './accounts.ts'
import { makeAlmanacHistory } from './almanac-history.ts'
import { keepers, planAlmanac } from './almanac-plots.ts'
import { tellPlot } from './almanac-threads.ts'
import { type Content, newContent } from './content.ts'
import { makeGitRepository } from './git-repository.ts'
import { accountUrl, teamUrl } from './host.ts'
import {
  addMilestone,
  addProject,
  addRelease,
  addWiki,
  type Project,
  protectMain,
} from './project.ts'
import { commits, tags, wikiCommits } from './tidewatch-history.ts'
import { tellIssues } from './tidewatch-issues.ts'
import { tellPullRequests } from './tidewatch-pulls.ts'

const login = 'harbour-lights'

/** The export of harbour-lights, an organization that prints tide tables. */
export function makeOrganization(): Content {
  const content = newContent(2024, '2024-01-10T08:00:00Z')
  addPeople(content)
  addHarbourLights(content)
  addTeams(content)
  const tidewatch = addTidewatch(content)
  tellIssues(tidewatch)
  tellPullRequests(tidewatch)
  addAlmanac(content)
  return content
}

const people = [
  ['sanna-brook', 'Sanna Brook', 'Keeper of the light.', 'By the sea'],
  ['kofi-meadow', 'Kofi Meadow', 'Clocks, mostly.', 'UTC'],
  ['jun-hale', 'Jun Hale', null, 'A ship'],
  ['pia-storm', 'Pia Storm', 'Sails in any weather ⛵', null],
  ['otto-fenn', null, null, 'Behind the sea wall'],
  ['lea-marsh', 'Léa Marsh', 'Wet feet.', null],
  ['noor-castell', 'Noor Castell', 'Writes wikis.', 'Upstairs'],
  ['tam-birch', null, null, null],
  ['vera-quill', 'Vera Quill', 'Birds and tides.', 'Quill Point'],
] as const

function addPeople(content: Content): void {
  for (const [index, [name, fullName, bio, location]] of people.entries()) {
    const created_at = `20${12 + index}-0${1 + index}-1${index}T0${index}:20:00Z`
    addUser(content, name, created_at, { name: fullName, bio, location })
  }
  addBot(content, 'buoy-bumper', '2020-02-20T02:20:00Z')
}

function addHarbourLights({ records }: Content): void {
  records.organizations.push({
    type: 'organization',
    url: accountUrl(login),
    login,
    name: 'Harbour Lights',
    description: 'We keep the lights on and the tide tables right.',
    website: 'https://lights.example.org',
    location: '',
    email: 'lights@example.org',
    members: people.slice(0, 7).map(([name], index) => ({
      user: accountUrl(name),
      role: index < 2 ? 'admin' : 'direct_member',
      state: 'active',
    })),
    owners_team: null,
    webhooks: [],
    created_at: '2021-12-24T12:00:00Z',
    member_privileges: {
      default_repository_permission: 'read',
      members_can_create_public_repositories: true,
      members_can_create_private_repositories: true,
      members_can_create_internal_repositories: false,
      members_can_invite_outside_collaborators: true,
      allows_private_repository_forking: false,
      members_can_create_pages: true,
      members_can_change_repo_visibility: true,
      members_can_delete_repositories: false,
      members_can_delete_issues: false,
      display_commenter_full_name_setting_enabled: false,
      readers_can_create_discussions: true,
      members_can_create_teams: true,
      members_can_view_dependency_insights: true,
    },
    repository_defaults: {
      repository_default_branch: 'main',
      commit_signoff: false,
      repository_labels: [
        { name: 'bug', description: "Something isn't working", color: 'd73a4a' },
        { name: 'enhancement', description: 'New feature or request', color: 'a2eeef' },
      ],
    },
  })
}

function addTeams({ records }: Content): void {
  const repository = (name: string) => `${accountUrl(login)}/${name}`
  records.teams.push(
    {
      type: 'team',
      url: teamUrl(login, 'keepers'),
      organization: accountUrl(login),
      parent_team: null,
      name: 'Keepers',
      description: 'They take care.',
      privacy: 'closed',
      permissions: [
        { repository: repository('tidewatch'), access: 'admin', role: 'admin' },
        { repository: repository('almanac'), access: 'push', role: 'maintain' },
        // Teams name all of their repositories, those that were not exported too.
        { repository: repository('accounts'), access: 'admin', role: 'admin' },
      ],
      members: keepers.map((keeper, index) => ({
        user: accountUrl(keeper),
        role: index === 0 ? 'maintainer' : 'member',
      })),
      created_at: '2021-12-24T12:30:00Z',
    },
    {
      type: 'team',
      url: teamUrl(login, 'deck-hands'),
      organization: accountUrl(login),
      parent_team: null,
      name: 'Deck hands',
      description: '',
      privacy: 'closed',
      permissions: [{ repository: repository('almanac'), access: 'push', role: 'write' }],
      members: people.slice(3, 7).map(([name]) => ({ user: accountUrl(name), role: 'member' })),
      created_at: '2022-03-01T09:00:00Z',
    },
  )
}

function addTidewatch(content: Content): Project {
  const name = 'tidewatch'
  const project = addProject(content, {
    owner: login,
    by: 'sanna-brook',
    name,
    description: 'Prints the tide of a day 🌊',
    created_at: '2022-01-02T10:00:00Z',
    git: makeGitRepository(`${login}/${name}`, 'main', commits, tags),
    labels: [
      ['bug', 'd73a4a', "Something isn't working"],
      ['documentation', '0075ca', 'Improvements or additions to documentation'],
      ['enhancement', 'a2eeef', 'New feature or request'],
      ['good first issue', '7057ff', 'Good for newcomers'],
      ['wontfix', 'ffffff', 'This will not be worked on'],
    ],
    topics: ['tides', 'sailing'],
    more: {
      website: 'https://tides.example.org',
      webhooks: [
        {
          payload_url: 'https://bell.example.org/ring',
          content_type: 'json',
          event_types: ['push', 'release'],
          enable_ssl_verification: true,
          active: true,
        },
      ],
    },
  })
  addWiki(
    project,
    `${login}/${name}`,
    makeGitRepository(`${login}/${name}.wiki`, 'master', wikiCommits),
  )
  addMilestone(project, {
    number: 1,
    title: '1.0',
    description: 'Good enough for a day at sea.',
    by: 'sanna-brook',
    at: '2022-01-04T09:00:00Z',
    due_on: '2022-06-01T07:00:00Z',
    closed_at: '2022-06-01T09:10:00Z',
  })
  addMilestone(project, {
    number: 2,
    title: '2.0',
    description: 'Moon and warnings.',
    by: 'sanna-brook',
    at: '2023-02-01T09:59:00Z',
    due_on: '2024-06-01T07:00:00Z',
  })
  addRelease(project, {
    tag: 'v1.0.0',
    name: 'Tidewatch 1.0',
    body: 'With a curve, and all stations of the almanac.',
    by: 'sanna-brook',
    at: '2022-06-01T09:02:00Z',
  })
  addRelease(project, {
    tag: 'v1.1.0-rc.1',
    name: '',
    body: 'Says that hours are UTC. Please try!',
    by: 'sanna-brook',
    at: '2022-11-08T09:02:00Z',
    prerelease: true,
  })
  protectMain(project, 'sanna-brook', ['tests (ubuntu)', 'tests (windows)'])
  return project
}

function addAlmanac(content: Content): void {
  const plots = planAlmanac()
  const { commits, bases } = makeAlmanacHistory(plots)
  const project = addProject(content, {
    owner: login,
    by: 'sanna-brook',
    name: 'almanac',
    description: 'Stations for tidewatch, measured by people with wet feet',
    created_at: '2021-12-30T09:30:00Z',
    git: makeGitRepository(`${login}/almanac`, 'main', commits),
    labels: [
      ['station', '1d76db', 'A place with tides'],
      ['wrong tide', 'b60205', 'The sea disagrees'],
      ['question', 'd876e3', 'Further information is requested'],
      ['dependencies', '0366d6', 'Pull requests that update a dependency'],
    ],
    // Somebody from outside, who has no record.
    more: { collaborators: [{ user: accountUrl('gone-fishing'), permission: 'write' }] },
  })
  for (const plot of plots) tellPlot(project, plot, bases.get(plot))
}

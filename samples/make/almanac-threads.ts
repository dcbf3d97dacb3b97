import { chartsAfter, chartsBefore, keys, pathOfStation, timesOf } from './almanac-history.ts'
import type { Bump, Plot, Question, Report, Station } from './almanac-plots.ts'
import { assigned, closed, comment, event, labeled, merged, renamed } from './happenings.ts'
import { later } from './host.ts'
import { type Happening, openIssue, openPullRequest } from './open-thread.ts'
import type { Project } from './project.ts'
import { reviewed, reviewRequested } from './reviews.ts'

/** Tells a plot as issues and pull requests; `base` is where its pull request started. */
export function tellPlot(project: Project, plot: Plot, base = keys.first): void {
  switch (plot.kind) {
    case 'station':
      tellRequest(project, plot)
      tellAddition(project, plot, base)
      break
    case 'report':
      tellReport(project, plot)
      break
    case 'question':
      tellQuestion(project, plot)
      break
    case 'bump':
      tellBump(project, plot, base)
  }
}

const choose = <T>(things: readonly T[], turn: number): T => things[turn % things.length] as T

const wishes = [
  'We sail there every summer and have to guess.',
  'The harbour office has a gauge and shares its readings. 📈',
  'The nearest station is an hour away, by boat **and** by tide.',
  'My students want to compare it with their own measurements.',
  'There is a sandbar. It matters. ⚓',
]

function tellRequest(project: Project, plot: Station): void {
  const { number, at, visitor, keeper, turn, name, author, outcome } = plot
  const { opened, done } = timesOf(plot)
  const body = `Please add **${name}**.\r\n\r\n${choose(wishes, turn)}`
  const happenings = [
    labeled(later(at, 45), keeper, 'station'),
    comment(
      later(at, 47 + turn),
      keeper,
      choose(
        [
          'Welcome! Do you have readings of a whole month?',
          `A gap on our map indeed. @${author}, would you like to take it?`,
          'Thanks. We need the position and two high waters at least.',
        ],
        turn,
      ),
      turn % 4 === 0 ? { reactions: { '+1': [visitor] } } : {},
    ),
    comment(
      later(at, 900 + turn),
      visitor,
      choose(
        ['Readings are on their way.', 'I can be there on Sunday. 🥾', 'Yes, in a notebook.'],
        turn,
      ),
    ),
    ...(turn % 3 === 0 ? [assigned(later(opened, -30), keeper, author)] : []),
  ]
  const end: Record<Station['outcome'], Happening[]> = {
    merged: [closed(later(done, 0.05), keeper, number + 1)],
    mended: [closed(later(done, 0.05), keeper, number + 1)],
    refused: [
      comment(
        later(done, 3),
        keeper,
        'There is no gauge within reach, so we leave it out for now.',
      ),
      closed(later(done, 4), keeper),
    ],
    open: [],
  }
  const title = `Station request: ${name}`
  openIssue(project, { number, by: visitor, at, title, body }, [...happenings, ...end[outcome]])
}

function tellAddition(project: Project, plot: Station, base: string): void {
  const { keeper, turn, name, slug, author, outcome } = plot
  const { opened, reviewed: looked, mended, done } = timesOf(plot)
  const commit = outcome === 'mended' ? keys.mended(plot) : keys.draft(plot)
  const review: Record<Station['outcome'], Happening[]> = {
    merged: [
      reviewed(looked, keeper, 'approved', {
        commit,
        body: choose([null, 'Fits the chart. ✅', ''], turn),
      }),
      merged(done, keeper, keys.merged(plot)),
    ],
    mended: [
      reviewed(looked, keeper, 'changes_requested', {
        commit: keys.draft(plot),
        body: 'Nearly there.',
        remarks: [
          {
            path: pathOfStation(plot),
            line: 6,
            body: 'That would be days. Are these seconds?',
            replies: [{ at: later(mended, -20), by: author, body: 'They are! Mended. 🙈' }],
            resolved: { at: later(done, -5), by: keeper },
            outdated: true,
          },
        ],
      }),
      ...(turn % 2 === 0
        ? []
        : [comment(mended, author, `Minutes now, as in the other files. Ready @${keeper}`)]),
      reviewed(later(done, -4), keeper, 'approved', { commit }),
      merged(done, keeper, keys.merged(plot)),
    ],
    refused: [
      reviewed(looked, keeper, 'commented', { commit, body: 'Where do the readings come from?' }),
      comment(mended, author, 'From the wall of the pub.'),
      closed(done, keeper),
    ],
    open: [],
  }
  openPullRequest(
    project,
    {
      number: plot.number + 1,
      by: author,
      at: opened,
      title: `Add ${name}`,
      body: `Closes #${plot.number}.`,
      head: { ref: slug, commit },
      base,
      closes: [plot.number],
      ...(turn % 5 === 0 && { reactions: { heart: [plot.visitor] } }),
    },
    [
      reviewRequested(later(opened, 1), author, keeper),
      labeled(later(opened, 2), author, 'station'),
      ...review[outcome],
    ],
  )
}

function tellReport(project: Project, plot: Report): void {
  const { number, at, visitor, keeper, turn, station } = plot
  const isHeight = turn % 3 === 0
  const amount = 4 + ((turn * 5) % 23)
  const wrong = isHeight
    ? `Heights at ${station.name} are ${amount} cm too ${choose(['low', 'high'], turn)}`
    : `High water at ${station.name} is ${amount} minutes ${choose(['late', 'early'], turn)}`
  const body = [
    `Seen on ${choose(['three mornings', 'one windy evening', 'every day of a week'], turn)}:`,
    '',
    '```text',
    `expected ${String(6 + (turn % 6)).padStart(2, '0')}:${10 + (turn % 49)}`,
    `seen     ${amount} ${isHeight ? 'cm' : 'minutes'} off`,
    '```',
    '',
    `The file is \`${pathOfStation(station)}\`.`,
  ].join('\r\n')
  const answer = later(at, 20 + ((turn * 613) % 4000))
  const days = 1 + ((turn * 11) % 40)
  const end = later(answer, days * 1440)
  const talk: Happening[] = [
    labeled(answer, keeper, 'wrong tide'),
    ...(turn % 4 === 1 ? [renamed(later(answer, 1), keeper, 'It is wrong')] : []),
    comment(
      later(answer, 2),
      keeper,
      choose(
        [
          `Was there wind, @${visitor}?`,
          'Air pressure makes a difference: 1 hPa is about 1 cm.',
          'Which clock did you use? Ours has no daylight saving time.',
          'I can see it too. 👀',
        ],
        turn,
      ),
    ),
    comment(
      later(answer, 400),
      visitor,
      choose(
        ['No wind at all.', 'A church clock. ⛪', 'I shall measure again.', 'See above.'],
        turn,
      ),
      turn % 6 === 0 ? { reactions: { smile: [keeper, 'gone-fishing'] } } : {},
    ),
    ...(turn % 5 === 0
      ? [comment(later(answer, 1500), choose(['tam-birch', 'vera-quill'], turn), 'Same here.')]
      : []),
  ]
  const isOpen = turn % 4 === 2 || turn > 110
  const ending: Happening[] = isOpen
    ? []
    : [
        comment(
          end,
          keeper,
          choose(
            [
              'It was the pressure. Nothing to mend.',
              'Corrected with the readings of June.',
              'Thank you! 🌊',
            ],
            turn,
          ),
        ),
        closed(later(end, 1), keeper),
      ]
  const opening = { number, by: visitor, at, title: wrong, body }
  // Some reports stay without an answer, which is what a good query should find.
  openIssue(project, opening, turn % 16 === 10 ? [] : [...talk, ...ending])
}

const questions = [
  ['Why minutes and not seconds?', 'The sea is not that exact.'],
  ['What is chart datum?', 'The level below which the tide seldom falls.'],
  ['May I use the data in a calendar?', 'Yes, please show us! 📅'],
  ['Do you have stations inland?', 'Not before the sea gets there.'],
  ['How often are stations checked?', 'Whenever somebody stands next to one.'],
  ['Is there a map?', 'There will be one. See the wiki of tidewatch.'],
  ['Who pays for the gauges?', 'The harbours do.'],
  ['Can I get the raw readings?', 'Ask the harbour office, we keep none.'],
] as const

function tellQuestion(project: Project, plot: Question): void {
  const { number, at, visitor, keeper, turn } = plot
  const [title, answer] = choose(questions, Math.floor(turn / 7))
  const answered = later(at, 15 + ((turn * 89) % 2500))
  openIssue(
    project,
    { number, by: visitor, at, title, body: turn % 2 ? null : 'I could not find it.' },
    [
      labeled(answered, keeper, 'question'),
      comment(later(answered, 1), keeper, answer, { reactions: { '+1': [visitor] } }),
      ...(turn % 3
        ? [closed(later(answered, 60), visitor)]
        : [event(later(answered, 60), visitor, 'subscribed')]),
    ],
  )
}

function tellBump(project: Project, plot: Bump, base: string): void {
  const { number, at, keeper, outcome } = plot
  const bot = 'buoy-bumper[bot]'
  const { done } = timesOf(plot)
  const commit = keys.bump(plot)
  const ref = `buoy-bumper/harbour-charts-${chartsAfter(plot)}`
  const ends: Record<Bump['outcome'], Happening[]> = {
    merged: [
      reviewed(later(done, -3), keeper, 'approved', { commit }),
      merged(done, keeper, keys.mergedBump(plot)),
    ],
    refused: [
      closed(done, keeper),
      comment(later(done, 0.2), bot, 'I will not tell you about this version again. 🤖'),
    ],
    open: [],
  }
  const title = `Bump harbour-charts from ${chartsBefore(plot)} to ${chartsAfter(plot)}`
  openPullRequest(
    project,
    {
      number,
      by: bot,
      at: later(at, 1),
      title,
      body: 'A newer version of `harbour-charts`.',
      head: { ref, commit },
      base,
    },
    [labeled(later(at, 2), bot, 'dependencies'), ...ends[outcome]],
  )
}

import {
  assigned,
  closed,
  comment,
  event,
  labeled,
  merged,
  milestoned,
  referenced,
  renamed,
  reopened,
  unlabeled,
} from './happenings.ts'
import { openIssue, openPullRequest } from './open-thread.ts'
import { makePicture } from './picture.ts'
import type { Project } from './project.ts'
import { reviewed, reviewRequested } from './reviews.ts'
import { addPicture, addTextFile } from './uploads.ts'

const mona = 'mona-lindqvist'
const teo = 'teo-park'
const ines = 'ines-okafor'
const rui = 'rui-valdez'
const bot = 'leaf-updates[bot]'

/** The issues of tea-timer. */
export function tellIssues(project: Project): void {
  openIssue(
    project,
    {
      number: 1,
      by: teo,
      at: '2024-01-22T20:11:09Z',
      title: 'What if I make two cups?',
      body: 'The second `tea-timer` rings, but I cannot tell **which tea** is ready.',
      reactions: { '+1': [ines, rui] },
    },
    [
      labeled('2024-01-22T21:00:30Z', mona, 'question'),
      comment('2024-01-22T21:03:15Z', mona, 'Good question. For now: drink one at a time 😄', {
        reactions: { smile: [teo, ines] },
      }),
      closed('2024-01-23T06:30:00Z', teo),
      reopened('2024-11-12T08:01:00Z', mona),
      comment('2024-11-12T08:02:40Z', mona, 'Now that 1.1 is out I would like to have this.'),
      unlabeled('2024-11-12T08:03:00Z', mona, 'question'),
      labeled('2024-11-12T08:03:10Z', mona, 'enhancement', 'help wanted'),
      milestoned('2024-11-12T08:04:00Z', mona, 2),
    ],
  )
  const rings = addPicture(project, {
    uuid: '5f1c7a52-9d0e-4b61-8f3a-2c6d1e0b7a94',
    name: 'two-rings.png',
    bytes: drawRings(),
    by: rui,
    at: '2024-05-18T11:46:30Z',
    issue: 3,
  })
  openIssue(
    project,
    {
      number: 3,
      by: rui,
      at: '2024-05-18T11:47:52Z',
      title: 'The bell rings twice',
      body: [
        'Steps:',
        '',
        '```console',
        '$ npx tea-timer oolong',
        'Your tea is ready.',
        'Your tea is ready.',
        '```',
        '',
        `What I see: ![two rings](${rings})`,
      ].join('\r\n'),
    },
    [
      renamed('2024-05-18T12:30:00Z', mona, 'help!!!'),
      labeled('2024-05-18T12:30:20Z', mona, 'bug'),
      comment('2024-05-18T12:34:56Z', mona, 'Which terminal is it, @rui-valdez?'),
      comment(
        '2024-05-19T08:00:00Z',
        rui,
        '> Which terminal is it\r\n\r\nThe one that came with it.',
        { mail: true },
      ),
      assigned('2024-05-20T10:00:00Z', mona, teo),
    ],
  )
  const log = addTextFile(project, {
    number: 18_204_417,
    name: 'sleep-log.txt',
    text: '21:40 lid closed\n21:50 lid opened\n21:54 tea cold\n',
    by: ines,
    at: '2024-10-30T22:05:00Z',
  })
  openIssue(
    project,
    {
      number: 4,
      by: ines,
      at: '2024-10-30T22:06:43Z',
      title: 'Cold tea after the computer slept',
      body: `I closed the lid for ten minutes. The timer did not notice: [sleep-log.txt](${log}).`,
      reactions: { eyes: [mona], heart: ['passer-by-42'] },
    },
    [
      labeled('2024-10-31T07:00:00Z', mona, 'bug', '🍵 tea'),
      milestoned('2024-10-31T07:00:30Z', mona, 1),
      comment(
        '2024-10-31T07:04:12Z',
        mona,
        [
          'It counts, and counting stops while it sleeps:',
          '',
          '```js',
          'setTimeout(whenReady, minutes * 60_000)',
          '```',
          '',
          'Would you like to mend it?',
        ].join('\r\n'),
      ),
      comment('2024-10-31T18:20:00Z', ines, 'Yes! I have an idea. ⏰', {
        reactions: { tada: [mona, teo], rocket: [mona] },
      }),
      referenced('2024-11-09T21:14:58Z', ines, 'patient'),
      closed('2024-11-11T07:40:02Z', mona, 5),
    ],
  )
  openIssue(
    project,
    {
      number: 7,
      by: teo,
      at: '2025-03-03T17:17:17Z',
      title: 'Oolong: two minutes or three?',
      body: 'My tin says *2*, `teas.js` says *3*.',
      reactions: { thinking_face: [mona, ines, rui], '-1': ['passer-by-42'] },
    },
    [
      labeled('2025-03-03T18:00:00Z', mona, '🍵 tea'),
      comment('2025-03-03T18:05:00Z', mona, 'Three.'),
      comment('2025-03-03T18:06:30Z', teo, 'Two!'),
      comment('2025-03-03T18:07:10Z', ines, 'It depends on the water. 五分鐘也可以。'),
      comment('2025-03-03T18:09:00Z', mona, 'Three. @teo-park, bring your tin and we will see.'),
      event('2025-03-03T18:10:00Z', mona, 'locked'),
    ],
  )
  openIssue(
    project,
    {
      number: 10,
      by: null,
      at: '2026-01-08T09:09:09Z',
      title: 'List all teas',
      body: null,
    },
    [labeled('2026-01-08T10:00:00Z', mona, 'enhancement', 'good first issue')],
  )
}

/** The pull requests of tea-timer. */
export function tellPullRequests(project: Project): void {
  openPullRequest(
    project,
    {
      number: 2,
      by: teo,
      at: '2024-02-03T19:25:00Z',
      title: 'Add white tea',
      body: 'It is the best one.',
      head: { ref: 'white-tea', commit: 'white-longer' },
      base: 'bell',
    },
    [
      reviewRequested('2024-02-03T19:25:20Z', teo, mona),
      labeled('2024-02-03T19:26:00Z', teo, 'enhancement', '🍵 tea'),
      reviewed('2024-02-03T20:40:00Z', mona, 'commented', {
        commit: 'white',
        body: 'Lovely. One thing:',
        remarks: [
          {
            path: 'src/teas.js',
            line: 6,
            body: 'Five? My grandmother says *seven*.',
            replies: [{ at: '2024-02-04T08:00:00Z', by: teo, body: 'Let us meet at six. 🤝' }],
            resolved: { at: '2024-02-04T09:28:00Z', by: mona },
            outdated: true,
          },
        ],
      }),
      reviewed('2024-02-04T09:29:00Z', mona, 'approved', {
        commit: 'white-longer',
        reactions: { heart: [teo] },
      }),
      merged('2024-02-04T09:30:05Z', mona, 'merge-white'),
    ],
  )
  openPullRequest(
    project,
    {
      number: 5,
      by: ines,
      at: '2024-11-09T21:20:00Z',
      title: 'Look at the clock instead of counting',
      body: 'Fixes #4.\r\n\r\n- [x] works while the lid is closed\r\n- [ ] works on the moon',
      head: { ref: 'sleepy', commit: 'less-hurry', of: ines },
      base: 'merge-white',
      closes: [4],
      reactions: { rocket: [teo] },
    },
    [
      milestoned('2024-11-10T08:00:00Z', mona, 1),
      labeled('2024-11-10T08:00:10Z', mona, 'bug'),
      reviewed('2024-11-10T08:15:00Z', mona, 'changes_requested', {
        commit: 'patient',
        body: 'This is it! Only a little less hurry, please.',
        remarks: [
          {
            path: 'src/timer.js',
            line: 12,
            body: 'Ten times a second is a lot for tea.\r\n```suggestion\r\n  }, 1000)\r\n```',
            outdated: true,
          },
          {
            path: 'src/timer.js',
            line: 4,
            body: '`now` as a parameter makes this easy to test. 👏',
          },
        ],
      }),
      comment('2024-11-10T12:03:00Z', ines, 'Once a second now.'),
      reviewed('2024-11-11T07:39:00Z', mona, 'approved', {
        commit: 'less-hurry',
        body: 'Ship it.',
      }),
      merged('2024-11-11T07:40:00Z', mona, 'merge-patient'),
    ],
  )
  openPullRequest(
    project,
    {
      number: 8,
      by: bot,
      at: '2025-05-02T04:01:00Z',
      title: 'Require Node.js 22',
      body: 'Node.js 18 has reached the end of its life.',
      head: { ref: 'leaf-updates/node-22', commit: 'node-22' },
      base: 'merge-patient',
    },
    [
      comment('2025-05-02T06:00:00Z', mona, 'Tea does not care. Another time.'),
      closed('2025-05-02T06:00:05Z', mona),
    ],
  )
  openPullRequest(
    project,
    {
      number: 9,
      by: teo,
      at: '2025-12-13T22:35:00Z',
      title: 'Sing instead of ringing 🎶',
      body: 'Not in tune yet.',
      head: { ref: 'sing', commit: 'sing' },
      base: 'merge-patient',
      draft: true,
    },
    [
      assigned('2025-12-13T22:36:00Z', teo, teo),
      event('2025-12-14T09:00:00Z', teo, 'convert_to_draft'),
    ],
  )
}

/** The screenshot of rui-valdez: two rings. */
function drawRings(): Uint8Array {
  const isOn = (x: number, y: number, center: number) => {
    const distance = Math.hypot(x - center, y - 16)
    return distance > 6 && distance < 9
  }
  const colors = [
    [250, 248, 240],
    [120, 160, 80],
    [60, 40, 30],
  ] as const
  return makePicture(colors, (x, y) => (isOn(x, y, 11) ? 1 : isOn(x, y, 20) ? 2 : 0))
}

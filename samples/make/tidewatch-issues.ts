import {
  assigned,
  closed,
  comment,
  event,
  labeled,
  milestoned,
  referenced,
  renamed,
  reopened,
  unlabeled,
} from './happenings.ts'
import { openIssue } from './open-thread.ts'
import { makePicture } from './picture.ts'
import type { Project } from './project.ts'
import { addPicture, addTextFile } from './uploads.ts'

const sanna = 'sanna-brook'
const kofi = 'kofi-meadow'
const jun = 'jun-hale'
const pia = 'pia-storm'
const otto = 'otto-fenn'
const lea = 'lea-marsh'
const noor = 'noor-castell'

/** The issues of tidewatch. */
export function tellIssues(project: Project): void {
  openIssue(
    project,
    {
      number: 1,
      by: sanna,
      at: '2022-01-05T09:00:00Z',
      title: 'Release 1.0',
      body: 'What is missing?\r\n\r\n- [x] a curve (#2)\r\n- [x] the almanac (#5)\r\n- [ ] a logo',
      reactions: { tada: [kofi, jun], heart: [pia] },
    },
    [
      milestoned('2022-01-05T09:01:00Z', sanna, 1),
      event('2022-01-05T09:02:00Z', sanna, 'pinned'),
      comment('2022-01-05T10:10:00Z', kofi, 'The curve is the part that people will share.'),
      comment('2022-06-01T09:05:00Z', sanna, 'Out! A logo can wait. ⛵', {
        reactions: { tada: [kofi, jun, pia, otto], rocket: [lea] },
      }),
      closed('2022-06-01T09:06:00Z', sanna),
    ],
  )
  openIssue(
    project,
    {
      number: 3,
      by: otto,
      at: '2022-03-02T13:00:00Z',
      title: 'Heights in feet',
      body: 'My boat is measured in feet, so please print the tide in feet.',
      reactions: { '+1': [lea, noor], '-1': [jun, kofi, sanna, 'gone-fishing'] },
    },
    [
      labeled('2022-03-02T13:30:00Z', jun, 'enhancement'),
      comment('2022-03-02T13:31:00Z', jun, 'Charts have metres.'),
      comment('2022-03-02T13:40:00Z', otto, 'Mine does not.'),
      comment('2022-03-02T14:02:00Z', jun, 'How old is your chart, @otto-fenn?'),
      comment('2022-03-02T14:05:00Z', otto, 'It was my uncle’s.', {
        reactions: { smile: [jun, lea, noor] },
      }),
      comment('2022-03-03T08:00:00Z', lea, 'An option would do: `--feet`.'),
      comment('2022-03-03T08:30:00Z', noor, 'And fathoms? `--fathoms`. And hands. 🐴'),
      comment('2022-03-03T08:31:00Z', lea, 'You are not helping.'),
      comment('2022-03-04T17:00:00Z', kofi, 'Let us keep to metres; `| awk` does the rest.'),
      closed('2022-03-04T17:00:30Z', kofi),
      event('2022-03-04T17:01:00Z', kofi, 'locked'),
    ],
  )
  openIssue(
    project,
    {
      number: 4,
      by: lea,
      at: '2022-05-20T07:45:00Z',
      title: "KeyError: 'name'",
      body: [
        '```pytb',
        'Traceback (most recent call last):',
        '  File "cli.py", line 9, in main',
        "KeyError: 'name'",
        '```',
        'Some stations have no name.',
      ].join('\r\n'),
    },
    [
      labeled('2022-05-20T08:00:00Z', sanna, 'bug'),
      assigned('2022-05-27T19:00:00Z', sanna, pia),
      referenced('2022-05-28T14:00:02Z', pia, 'load'),
      closed('2022-05-31T16:20:02Z', sanna, 5),
    ],
  )
  openIssue(
    project,
    {
      number: 6,
      by: noor,
      at: '2022-07-10T21:00:00Z',
      title: 'Show the moon 🌙',
      body: 'New moon and full moon make the highest tides. Could we have a sign for them?',
      reactions: { heart: [sanna, lea, pia, otto], rocket: [jun], eyes: ['gone-fishing'] },
    },
    [
      labeled('2022-07-11T06:00:00Z', jun, 'enhancement', 'good first issue'),
      comment('2022-07-11T06:02:00Z', jun, '🌑🌒🌓🌔🌕🌖🌗🌘 – done, in principle.'),
      unlabeled('2023-02-01T10:00:00Z', sanna, 'good first issue'),
      milestoned('2023-02-01T10:01:00Z', sanna, 2),
      comment('2023-06-21T12:00:00Z', otto, 'Any news?'),
    ],
  )
  const clocks = addPicture(project, {
    uuid: 'c0ffee00-1234-4abc-9def-0a1b2c3d4e5f',
    name: 'two-clocks@quay.png',
    bytes: drawClocks(),
    by: lea,
    at: '2022-10-30T12:20:00Z',
    issue: 7,
  })
  const table = addTextFile(project, {
    number: 9_911_234,
    name: 'tide-table.txt',
    text: '2022-10-30\n04:12  4.1 m\n10:20  0.8 m\n16:31  4.3 m\n',
    by: lea,
    at: '2022-10-30T12:22:00Z',
  })
  openIssue(
    project,
    {
      number: 7,
      by: lea,
      at: '2022-10-30T12:25:00Z',
      title: 'Wrong by one hour since this morning',
      body: [
        'The clock at the quay and tidewatch differ:',
        '',
        `![clocks](${clocks})`,
        '',
        `The harbour has [this table](${table}).`,
      ].join('\r\n'),
      reactions: { '+1': [pia, 'gone-fishing'] },
    },
    [
      renamed('2022-10-30T12:40:00Z', lea, 'Wrong'),
      labeled('2022-10-30T13:00:00Z', kofi, 'bug'),
      comment('2022-10-30T13:05:00Z', kofi, 'The clocks changed last night, ours did not. 🕰️'),
      comment('2022-10-31T09:00:00Z', lea, 'Then it should *say* so.'),
      referenced('2022-11-06T11:11:13Z', kofi, 'utc'),
      closed('2022-11-07T08:30:02Z', sanna, 9),
    ],
  )
  openIssue(
    project,
    {
      number: 10,
      by: 'vera-quill',
      at: '2022-12-12T18:18:00Z',
      title: 'It prints -0.0 m',
      body: 'Is the sea gone?',
    },
    [
      labeled('2022-12-12T19:00:00Z', jun, 'bug', 'good first issue'),
      comment('2022-12-12T19:01:00Z', jun, 'Only rounded away.', {
        reactions: { smile: ['vera-quill'] },
      }),
      closed('2022-12-20T10:00:00Z', jun),
      reopened('2023-04-04T04:04:00Z', 'vera-quill'),
      comment('2023-04-04T04:05:00Z', 'vera-quill', 'It is gone again.'),
    ],
  )
  openIssue(
    project,
    {
      number: 11,
      by: 'tam-birch',
      at: '2023-01-08T15:00:00Z',
      title: 'Explain how to add a station',
      body: null,
    },
    [
      event('2023-01-08T15:30:00Z', sanna, 'subscribed'),
      labeled('2023-01-08T15:31:00Z', sanna, 'documentation', 'good first issue'),
    ],
  )
  openIssue(
    project,
    {
      number: 13,
      by: otto,
      at: '2023-08-02T05:30:00Z',
      title: 'Today’s tide is higher than the sea wall',
      body: 'Should there be a warning? My feet are wet. 🥾💦',
      reactions: { eyes: [sanna, kofi], thinking_face: [jun] },
    },
    [
      labeled('2023-08-02T06:00:00Z', sanna, 'enhancement'),
      comment('2023-08-02T06:01:00Z', sanna, 'There should. Are you safe, @otto-fenn?'),
      comment('2023-08-02T09:00:00Z', otto, 'On the roof. The view is nice.', {
        mail: true,
        reactions: { heart: [sanna, lea] },
      }),
      assigned('2023-09-13T08:00:00Z', sanna, lea),
      milestoned('2023-09-13T08:00:30Z', sanna, 2),
    ],
  )
}

/** Two clocks an hour apart. */
function drawClocks(): Uint8Array {
  const colors = [
    [225, 235, 245],
    [40, 60, 90],
    [200, 60, 50],
  ] as const
  return makePicture(colors, (x, y) => {
    const center = x < 16 ? 8 : 24
    const distance = Math.hypot(x - center, y - 16)
    if (distance >= 5.5 && distance < 7) return 1
    const isHand = x < 16 ? x === center && y <= 16 : x - center === 16 - y && y <= 16
    return isHand && distance < 5 ? 2 : 0
  })
}

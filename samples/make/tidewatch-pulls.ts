import { closed, comment, event, forcePushed, labeled, merged, milestoned } from './happenings.ts'
import { openPullRequest } from './open-thread.ts'
import type { Project } from './project.ts'
import { reviewed, reviewRequested } from './reviews.ts'

const sanna = 'sanna-brook'
const kofi = 'kofi-meadow'
const jun = 'jun-hale'
const pia = 'pia-storm'
const otto = 'otto-fenn'
const lea = 'lea-marsh'

/** The pull requests of tidewatch. */
export function tellPullRequests(project: Project): void {
  openPullRequest(
    project,
    {
      number: 2,
      by: jun,
      at: '2022-02-11T20:20:00Z',
      title: 'Draw the tide as a curve',
      body: '```text\r\n~~~\r\n~~~~~~~\r\n~~~~~~~~~\r\n~~~~~\r\n```',
      head: { ref: 'curve', commit: 'chart-narrow' },
      base: 'start',
      reactions: { heart: [sanna, kofi] },
    },
    [
      reviewRequested('2022-02-11T20:21:00Z', jun, kofi),
      milestoned('2022-02-12T08:00:00Z', sanna, 1),
      labeled('2022-02-12T08:00:30Z', sanna, 'enhancement'),
      reviewed('2022-02-12T10:00:00Z', kofi, 'changes_requested', {
        commit: 'chart',
        body: 'Beautiful, but wider than my screen.',
        remarks: [
          {
            path: 'tidewatch/chart.py',
            line: 3,
            body: 'Terminals have 80 columns.',
            replies: [
              { at: '2022-02-13T09:30:00Z', by: jun, body: 'Mine has 212.' },
              { at: '2022-02-13T09:35:00Z', by: kofi, body: 'Mine is a *ship’s* terminal.' },
            ],
            resolved: { at: '2022-02-14T17:50:00Z', by: kofi },
            outdated: true,
          },
          { path: 'tidewatch/chart.py', line: 9, body: 'What if the sea is all below zero?' },
        ],
      }),
      reviewed('2022-02-14T17:55:00Z', kofi, 'approved', { commit: 'chart-narrow', body: '' }),
      merged('2022-02-14T18:00:00Z', kofi, 'merge-chart'),
    ],
  )
  openPullRequest(
    project,
    {
      number: 5,
      by: pia,
      at: '2022-05-28T14:10:00Z',
      title: 'Read stations from the almanac',
      body: 'Fixes #4.',
      head: { ref: 'almanac', commit: 'load-name', of: pia },
      base: 'merge-chart',
      closes: [4],
    },
    [
      reviewRequested('2022-05-28T14:12:00Z', pia, sanna),
      reviewed('2022-05-29T08:00:00Z', sanna, 'changes_requested', {
        commit: 'load',
        remarks: [
          {
            path: 'tidewatch/stations.py',
            line: 13,
            body: [
              'A question mark does not help:',
              '```suggestion',
              '    station.setdefault("name", name)',
              '```',
            ].join('\r\n'),
            replies: [{ at: '2022-05-30T06:15:00Z', by: pia, body: 'Done, thanks!' }],
            resolved: { at: '2022-05-31T16:00:00Z', by: sanna },
            outdated: true,
          },
        ],
      }),
      reviewed('2022-05-30T20:00:00Z', jun, 'commented', {
        commit: 'load-name',
        remarks: [{ path: 'tidewatch/cli.py', line: 11, body: 'No half hours?' }],
      }),
      reviewed('2022-05-31T16:10:00Z', sanna, 'approved', {
        commit: 'load-name',
        body: 'Welcome on board! 🎉',
        reactions: { heart: [pia] },
      }),
      merged('2022-05-31T16:20:00Z', sanna, 'merge-load'),
    ],
  )
  // Its author's account and fork were deleted.
  openPullRequest(
    project,
    {
      number: 8,
      by: null,
      at: '2022-11-02T02:05:00Z',
      title: 'add an hour',
      body: '',
      head: { ref: 'patch-1', commit: 'zone-guess', of: null },
      base: 'merge-load',
    },
    [
      comment('2022-11-02T02:06:00Z', null, 'works for me'),
      comment(
        '2022-11-02T09:00:00Z',
        kofi,
        'For half of the year. Let us rather say what we print.',
      ),
      closed('2022-11-02T09:01:00Z', kofi),
    ],
  )
  openPullRequest(
    project,
    {
      number: 9,
      by: kofi,
      at: '2022-11-06T11:15:00Z',
      title: 'Say that hours are UTC',
      body: 'Fixes #7.',
      head: { ref: 'utc', commit: 'utc' },
      base: 'merge-load',
      closes: [7],
    },
    [
      reviewRequested('2022-11-06T11:16:00Z', kofi, sanna),
      labeled('2022-11-06T11:17:00Z', kofi, 'bug'),
      reviewed('2022-11-07T08:29:00Z', sanna, 'approved', { commit: 'utc', body: null }),
      merged('2022-11-07T08:30:00Z', sanna, 'merge-utc'),
    ],
  )
  openPullRequest(
    project,
    {
      number: 12,
      by: otto,
      at: '2023-01-20T00:00:00Z',
      title: 'A port to the browser',
      body: 'Not much yet. What do you think?',
      head: { ref: 'web', commit: 'port', of: otto },
      base: 'merge-utc',
    },
    [],
  )
  openPullRequest(
    project,
    {
      number: 14,
      by: lea,
      at: '2023-09-14T17:05:00Z',
      title: 'Warn before spring tides',
      body: 'Closes #13, once we agree on the height.',
      head: { ref: 'warning', commit: 'warn' },
      base: 'merge-utc',
      draft: true,
      closes: [13],
      reactions: { eyes: [otto] },
    },
    [
      milestoned('2023-09-15T08:00:00Z', sanna, 2),
      forcePushed('2023-09-16T10:31:00Z', lea, 'warning', 'warn-first', 'warn'),
      event('2023-09-16T10:32:00Z', lea, 'convert_to_draft'),
      reviewRequested('2023-09-16T10:33:00Z', lea, jun),
      reviewed('2023-09-17T12:00:00Z', jun, 'commented', {
        commit: 'warn',
        body: 'Which quay?',
        remarks: [{ path: 'tidewatch/warning.py', line: 3, body: 'Each harbour has its own.' }],
      }),
    ],
  )
}

import { aboutPage, keysPage } from './kinds/about.ts'
import { allThreadsPage } from './kinds/all-threads.ts'
import {
  archiveInSite,
  archiveOf,
  archivePage,
  archivesPage,
  problemsPage,
} from './kinds/archive.ts'
import { attachmentsPage } from './kinds/data/attachments.ts'
import { checkPage } from './kinds/data/check.ts'
import { pulsePage } from './kinds/data/pulse.ts'
import { questionInSite, questionPage, questionsPage } from './kinds/data/questions.ts'
import { schemaPage } from './kinds/data/schema.ts'
import { sqlPage } from './kinds/data/sql.ts'
import { tablePage } from './kinds/data/table.ts'
import { assetPage, fileInSite, filePage, uploadPage } from './kinds/files.ts'
import { blamePage } from './kinds/git/blame.ts'
import { commitPage } from './kinds/git/commit.ts'
import { comparePage } from './kinds/git/compare.ts'
import { blobPage, rawFilePage, rawInSite } from './kinds/git/file.ts'
import { findFilePage } from './kinds/git/find-file.ts'
import { treePage } from './kinds/git/folder.ts'
import { commitsPage } from './kinds/git/history.ts'
import { hasCommit, hasFile, hasFolder, hasHistory } from './kinds/git/in-site.ts'
import { pullCommitPage, pullCommitsPage, pullFilesPage } from './kinds/git/pull.ts'
import { branchesPage, tagsPage } from './kinds/git/refs.ts'
import { wikiPage } from './kinds/git/wiki.ts'
import { membersPage, projectPage, projectsPage, teamPage, teamsPage } from './kinds/groups.ts'
import { homePage } from './kinds/home.ts'
import { peoplePage, personPage } from './kinds/person.ts'
import { rawPage } from './kinds/raw.ts'
import { releasePage, releasesPage } from './kinds/releases.ts'
import { labelColors, labelsPage, milestonesPage, repositoryPage } from './kinds/repository.ts'
import { searchPage } from './kinds/search.ts'
import { threadPage } from './kinds/thread.ts'
import {
  discussionsPage,
  issuesPage,
  labelPage,
  milestonePage,
  pullsPage,
} from './kinds/threads.ts'
import type { Page } from './page.ts'

const PAGED = ['page']

/** All pages. Where two patterns fit an address, the first one answers. */
export const PAGES: readonly Page[] = [
  { path: '/', open: homePage, query: PAGED },
  { path: '/-/assets/:name', open: assetPage },
  {
    path: '/-/files/:sha256/:name',
    open: filePage,
    isInSite: ({ scope }) => scope.files,
    siteLink: fileInSite,
  },
  { path: '/-/about', open: aboutPage },
  { path: '/-/keys', open: keysPage },
  { path: '/-/archives', open: archivesPage, isPrivate: true },
  { path: '/-/archives/:id', open: archivePage, isPrivate: true, query: ['db', 'page'] },
  {
    path: '/-/download/:name',
    // A site has the file before it has pages; the server has none.
    open: () => undefined,
    isPrivate: true,
    isInSite: (request) => archiveOf(request) !== undefined,
    siteLink: archiveInSite,
  },
  { path: '/-/problems', open: problemsPage, isPrivate: true, query: PAGED },
  { path: '/-/people', open: peoplePage, isPrivate: true, query: PAGED },
  { path: '/-/threads', open: allThreadsPage, query: ['letter', 'year', 'page'] },
  { path: '/-/raw', open: rawPage, isPrivate: true, query: ['url'] },
  { path: '/-/attachments', open: attachmentsPage, isPrivate: true, query: PAGED },
  { path: '/-/questions', open: questionsPage, isPrivate: true },
  {
    path: '/-/questions/:name',
    open: questionPage,
    isPrivate: true,
    siteLink: questionInSite,
    query: ['format'],
  },
  { path: '/-/sql', open: sqlPage, isPrivate: true, isServerOnly: true },
  { path: '/-/schema', open: schemaPage, isPrivate: true, isServerOnly: true },
  { path: '/-/schema/:table', open: tablePage, isPrivate: true, isServerOnly: true },
  { path: '/-/check', open: checkPage, isPrivate: true, isServerOnly: true },
  { path: '/orgs/:login/people', open: membersPage, isPrivate: true, isServerOnly: true },
  { path: '/orgs/:login/teams', open: teamsPage, isPrivate: true },
  { path: '/orgs/:login/teams/:team', open: teamPage, isPrivate: true },
  { path: '/search', open: searchPage, isInSite: ({ scope }) => scope.search },
  { path: '/user-attachments/assets/:id', open: uploadPage, isBytes: true, isServerOnly: true },
  {
    path: '/user-attachments/files/:id/:name',
    open: uploadPage,
    isBytes: true,
    isServerOnly: true,
  },
  { path: '/:login', open: personPage, query: ['tab', 'page'] },
  { path: '/:owner/:repo', open: repositoryPage, query: PAGED },
  { path: '/:owner/:repo/-/labels.css', open: labelColors, isBytes: true },
  { path: '/:owner/:repo/issues', open: issuesPage, query: ['state', 'page'] },
  { path: '/:owner/:repo/pulls', open: pullsPage, query: ['state', 'page'] },
  { path: '/:owner/:repo/discussions', open: discussionsPage, query: ['category', 'page'] },
  { path: '/:owner/:repo/issues/:number', open: threadPage, query: PAGED },
  { path: '/:owner/:repo/pull/:number', open: threadPage, query: PAGED },
  { path: '/:owner/:repo/pull/:number/files', open: pullFilesPage, query: ['file'] },
  { path: '/:owner/:repo/pull/:number/commits', open: pullCommitsPage },
  { path: '/:owner/:repo/pull/:number/commits/:oid', open: pullCommitPage, isServerOnly: true },
  { path: '/:owner/:repo/discussions/:number', open: threadPage, query: PAGED },
  { path: '/:owner/:repo/pulse', open: pulsePage },
  { path: '/:owner/:repo/projects', open: projectsPage },
  { path: '/:owner/:repo/projects/:number', open: projectPage },
  { path: '/:owner/:repo/labels', open: labelsPage, query: PAGED },
  { path: '/:owner/:repo/labels/:name', open: labelPage, query: ['kind', 'page'] },
  { path: '/:owner/:repo/milestones', open: milestonesPage },
  { path: '/:owner/:repo/milestone/:number', open: milestonePage, query: ['kind', 'page'] },
  { path: '/:owner/:repo/releases', open: releasesPage },
  { path: '/:owner/:repo/releases/tag/:rest+', open: releasePage },
  { path: '/:owner/:repo/tree/:rest+', open: treePage, isInSite: hasFolder, query: PAGED },
  { path: '/:owner/:repo/blame/:rest+', open: blamePage, isServerOnly: true },
  { path: '/:owner/:repo/find/:rest+', open: findFilePage, isServerOnly: true },
  { path: '/:owner/:repo/blob/:rest+', open: blobPage, isInSite: hasFile, query: ['plain'] },
  {
    path: '/:owner/:repo/raw/:rest+',
    isBytes: true,
    open: rawFilePage,
    isInSite: hasFile,
    siteLink: rawInSite,
  },
  { path: '/:owner/:repo/commits/:rest+', open: commitsPage, isInSite: hasHistory, query: PAGED },
  { path: '/:owner/:repo/commit/:oid', open: commitPage, isInSite: hasCommit, query: ['file'] },
  { path: '/:owner/:repo/compare/:rest+', open: comparePage, isServerOnly: true },
  { path: '/:owner/:repo/branches', open: branchesPage, query: PAGED },
  { path: '/:owner/:repo/tags', open: tagsPage, query: PAGED },
  { path: '/:owner/:repo/wiki', open: wikiPage },
  { path: '/:owner/:repo/wiki/:page', open: wikiPage },
]

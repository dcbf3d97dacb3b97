import type { Page } from './page.ts'
import { allThreadsPage } from './pages/all-threads.ts'
import { aboutPage, archivesPage, problemsPage, rawPage } from './pages/archive.ts'
import { attachmentsPage } from './pages/data/attachments.ts'
import { checkPage } from './pages/data/check.ts'
import { pulsePage } from './pages/data/pulse.ts'
import { questionInSite, questionPage, questionsPage } from './pages/data/questions.ts'
import { schemaPage, tablePage } from './pages/data/schema.ts'
import { sqlPage } from './pages/data/sql.ts'
import { assetPage, fileInSite, filePage, uploadPage } from './pages/files.ts'
import { commitPage } from './pages/git/commit.ts'
import { comparePage } from './pages/git/compare.ts'
import { blobPage, rawFilePage, rawInSite } from './pages/git/file.ts'
import { treePage } from './pages/git/folder.ts'
import { commitsPage } from './pages/git/history.ts'
import { hasCommit, hasFile, hasFolder, hasHistory } from './pages/git/in-site.ts'
import { pullCommitPage, pullCommitsPage, pullFilesPage } from './pages/git/pull.ts'
import { branchesPage, tagsPage } from './pages/git/refs.ts'
import { wikiPage } from './pages/git/wiki.ts'
import { membersPage, projectPage, projectsPage, teamPage, teamsPage } from './pages/groups.ts'
import { homePage } from './pages/home.ts'
import { peoplePage, personPage } from './pages/person.ts'
import { releasePage, releasesPage } from './pages/releases.ts'
import { labelColors, labelsPage, milestonesPage, repositoryPage } from './pages/repository.ts'
import { searchPage } from './pages/search.ts'
import { threadPage } from './pages/thread.ts'
import {
  discussionsPage,
  issuesPage,
  labelPage,
  milestonePage,
  pullsPage,
} from './pages/threads.ts'

const PAGED = ['page']

/** All pages. Where two patterns fit an address, the first one answers. */
export const PAGES: readonly Page[] = [
  { pattern: '/', open: homePage, query: PAGED },
  { pattern: '/-/assets/:name', open: assetPage },
  {
    pattern: '/-/files/:sha256/:name',
    open: filePage,
    isInSite: ({ scope }) => scope.files,
    siteLink: fileInSite,
  },
  { pattern: '/-/about', open: aboutPage },
  { pattern: '/-/archives', open: archivesPage, isPrivate: true },
  { pattern: '/-/problems', open: problemsPage, isPrivate: true, query: PAGED },
  { pattern: '/-/people', open: peoplePage, isPrivate: true, query: PAGED },
  { pattern: '/-/threads', open: allThreadsPage, query: ['letter', 'year', 'page'] },
  { pattern: '/-/raw', open: rawPage, isPrivate: true, query: ['url'] },
  { pattern: '/-/attachments', open: attachmentsPage, isPrivate: true, query: PAGED },
  { pattern: '/-/questions', open: questionsPage, isPrivate: true },
  {
    pattern: '/-/questions/:name',
    open: questionPage,
    isPrivate: true,
    siteLink: questionInSite,
    query: ['format'],
  },
  { pattern: '/-/sql', open: sqlPage, isPrivate: true, isServerOnly: true },
  { pattern: '/-/schema', open: schemaPage, isPrivate: true, isServerOnly: true },
  { pattern: '/-/schema/:table', open: tablePage, isPrivate: true, isServerOnly: true },
  { pattern: '/-/check', open: checkPage, isPrivate: true, isServerOnly: true },
  { pattern: '/orgs/:login/people', open: membersPage, isPrivate: true, isServerOnly: true },
  { pattern: '/orgs/:login/teams', open: teamsPage, isPrivate: true },
  { pattern: '/orgs/:login/teams/:team', open: teamPage, isPrivate: true },
  { pattern: '/search', open: searchPage, isInSite: ({ scope }) => scope.search },
  { pattern: '/user-attachments/assets/:id', open: uploadPage, isServerOnly: true },
  { pattern: '/user-attachments/files/:id/:name', open: uploadPage, isServerOnly: true },
  { pattern: '/:login', open: personPage, query: ['tab', 'page'] },
  { pattern: '/:owner/:repo', open: repositoryPage, query: PAGED },
  { pattern: '/:owner/:repo/-/labels.css', open: labelColors },
  { pattern: '/:owner/:repo/issues', open: issuesPage, query: ['state', 'page'] },
  { pattern: '/:owner/:repo/pulls', open: pullsPage, query: ['state', 'page'] },
  { pattern: '/:owner/:repo/discussions', open: discussionsPage, query: ['category', 'page'] },
  { pattern: '/:owner/:repo/issues/:number', open: threadPage, query: PAGED },
  { pattern: '/:owner/:repo/pull/:number', open: threadPage, query: PAGED },
  { pattern: '/:owner/:repo/pull/:number/files', open: pullFilesPage, query: ['file'] },
  { pattern: '/:owner/:repo/pull/:number/commits', open: pullCommitsPage },
  { pattern: '/:owner/:repo/pull/:number/commits/:oid', open: pullCommitPage, isServerOnly: true },
  { pattern: '/:owner/:repo/discussions/:number', open: threadPage, query: PAGED },
  { pattern: '/:owner/:repo/pulse', open: pulsePage },
  { pattern: '/:owner/:repo/projects', open: projectsPage },
  { pattern: '/:owner/:repo/projects/:number', open: projectPage },
  { pattern: '/:owner/:repo/labels', open: labelsPage },
  { pattern: '/:owner/:repo/labels/:name', open: labelPage, query: ['kind', 'page'] },
  { pattern: '/:owner/:repo/milestones', open: milestonesPage },
  { pattern: '/:owner/:repo/milestone/:number', open: milestonePage, query: ['kind', 'page'] },
  { pattern: '/:owner/:repo/releases', open: releasesPage },
  { pattern: '/:owner/:repo/releases/tag/*rest', open: releasePage },
  { pattern: '/:owner/:repo/tree/*rest', open: treePage, isInSite: hasFolder, query: PAGED },
  { pattern: '/:owner/:repo/blob/*rest', open: blobPage, isInSite: hasFile, query: ['plain'] },
  {
    pattern: '/:owner/:repo/raw/*rest',
    open: rawFilePage,
    isInSite: hasFile,
    siteLink: rawInSite,
  },
  { pattern: '/:owner/:repo/commits/*rest', open: commitsPage, isInSite: hasHistory, query: PAGED },
  { pattern: '/:owner/:repo/commit/:oid', open: commitPage, isInSite: hasCommit, query: ['file'] },
  { pattern: '/:owner/:repo/compare/*rest', open: comparePage, isServerOnly: true },
  { pattern: '/:owner/:repo/branches', open: branchesPage, query: PAGED },
  { pattern: '/:owner/:repo/tags', open: tagsPage, query: PAGED },
  { pattern: '/:owner/:repo/wiki', open: wikiPage },
  { pattern: '/:owner/:repo/wiki/:page', open: wikiPage },
]

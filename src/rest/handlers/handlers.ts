import type { HandlerName } from '../../interface/endpoints.ts'
import type { Handler } from '../request-context.ts'
import { download } from './archives.ts'
import * as attachments from './attachments.ts'
import * as authorizations from './authorizations.ts'
import {
  commitComment,
  issueComment,
  repositoryComments,
  repositoryCommitComments,
  threadComments,
} from './comments.ts'
import { directoryToken } from './directory.ts'
import * as emptyLists from './empty-lists.ts'
import * as feeds from './feeds.ts'
import * as branches from './git/branches.ts'
import * as commitFacts from './git/commit-facts.ts'
import { commit, commits } from './git/commits.ts'
import { compare } from './git/compare.ts'
import { contents, readme, rootContents } from './git/contents.ts'
import { contributors } from './git/contributors.ts'
import { languages } from './git/languages.ts'
import * as objects from './git/objects.ts'
import * as pullChanges from './git/pull-changes.ts'
import { gitRef, gitRefOrRefs, gitRefs, matchingRefs } from './git/refs.ts'
import * as sourceArchives from './git/source-archives.ts'
import * as hooks from './hooks.ts'
import { enterpriseGraphql, graphql } from './imports/graphql.ts'
import { importLog } from './imports/import-log.ts'
import { beginUpload, finishUpload, uploadArchive, uploadPart } from './imports/uploads.ts'
import { issueEvent, repositoryIssueEvents, threadIssueEvents } from './issue-events.ts'
import { issue, organizationIssues, repositoryIssues, userIssues } from './issues.ts'
import * as labels from './labels.ts'
import * as migrations from './migrations.ts'
import { assignees, isAssignee } from './people/assignees.ts'
import * as collaborators from './people/collaborators.ts'
import * as members from './people/members.ts'
import { avatar, currentUser, organization, user } from './people/people.ts'
import { isMerged, pull, repositoryPulls, requestedReviewers } from './pulls.ts'
import * as reactions from './reactions.ts'
import {
  latestRelease,
  release,
  releaseAsset,
  releaseAssets,
  releaseByTag,
  repositoryReleases,
} from './releases.ts'
import * as repositories from './repositories.ts'
import * as reviews from './reviews.ts'
import { index, meta, rateLimit, ready } from './service.ts'
import { grantSingleSignOn, showSingleSignOn } from './single-sign-on.ts'
import { timeline } from './timeline.ts'

/** The function that answers each endpoint. */
export const HANDLERS: Readonly<Record<HandlerName, Handler>> = {
  index,
  meta,
  rateLimit,
  ready,
  graphql,
  enterpriseGraphql,
  ...feeds,
  ...migrations,
  uploadArchive,
  beginUpload,
  uploadPart,
  finishUpload,
  importLog,
  ...attachments,
  ...authorizations,
  ...labels,
  ...reactions,
  ...reviews,
  pull,
  repositoryPulls,
  isMerged,
  requestedReviewers,
  latestRelease,
  release,
  releaseAsset,
  releaseAssets,
  releaseByTag,
  repositoryReleases,
  issueComment,
  repositoryComments,
  threadComments,
  commitComment,
  repositoryCommitComments,
  download,
  directoryToken,
  grantSingleSignOn,
  showSingleSignOn,
  issueEvent,
  repositoryIssueEvents,
  threadIssueEvents,
  issue,
  organizationIssues,
  repositoryIssues,
  userIssues,
  avatar,
  currentUser,
  organization,
  user,
  ...members,
  assignees,
  isAssignee,
  ...emptyLists,
  ...hooks,
  ...repositories,
  ...collaborators,
  timeline,
  ...branches,
  ...pullChanges,
  compare,
  ...objects,
  ...sourceArchives,
  gitRef,
  gitRefOrRefs,
  gitRefs,
  matchingRefs,
  ...commitFacts,
  contributors,
  commit,
  commits,
  contents,
  languages,
  readme,
  rootContents,
}

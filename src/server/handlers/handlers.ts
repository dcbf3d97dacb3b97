import type { HandlerName } from '../../rest/endpoints.ts'
import type { Handler } from '../request-context.ts'
import { download } from './archives.ts'
import * as attachments from './attachments.ts'
import * as authorizations from './authorizations.ts'
import * as collaborators from './collaborators.ts'
import { issueComment, repositoryComments, threadComments } from './comments.ts'
import { directoryToken } from './directory.ts'
import * as feeds from './feeds.ts'
import * as branches from './git/branches.ts'
import { commit, commits } from './git/commits.ts'
import { compare } from './git/compare.ts'
import { contents, readme, rootContents } from './git/contents.ts'
import { languages } from './git/languages.ts'
import * as objects from './git/objects.ts'
import * as pullChanges from './git/pull-changes.ts'
import { gitRef, gitRefOrRefs, gitRefs, matchingRefs } from './git/refs.ts'
import * as sourceArchives from './git/source-archives.ts'
import { issueEvent, repositoryIssueEvents, threadIssueEvents } from './issue-events.ts'
import { issue, repositoryIssues, userIssues } from './issues.ts'
import * as labels from './labels.ts'
import * as migrations from './migrations.ts'
import { avatar, currentUser, organization, user, userOrganizations } from './people.ts'
import { pull, repositoryPulls, requestedReviewers } from './pulls.ts'
import * as reactions from './reactions.ts'
import {
  release,
  releaseAsset,
  releaseAssets,
  releaseByTag,
  repositoryReleases,
} from './releases.ts'
import * as repositories from './repositories.ts'
import * as reviews from './reviews.ts'
import { enterpriseGraphql, graphql, index, rateLimit, ready } from './service.ts'
import { grantSingleSignOn, showSingleSignOn } from './single-sign-on.ts'
import { timeline } from './timeline.ts'

/** The function that answers each endpoint. */
export const HANDLERS: Readonly<Record<HandlerName, Handler>> = {
  index,
  rateLimit,
  ready,
  ...{ graphql, enterpriseGraphql },
  ...feeds,
  ...migrations,
  ...attachments,
  ...authorizations,
  ...labels,
  ...reactions,
  ...reviews,
  ...{ pull, repositoryPulls, requestedReviewers },
  ...{ release, releaseAsset, releaseAssets, releaseByTag, repositoryReleases },
  ...{ repositoryComments, threadComments, issueComment },
  ...{ download, directoryToken, grantSingleSignOn, showSingleSignOn },
  ...{ issueEvent, repositoryIssueEvents, threadIssueEvents },
  ...{ issue, repositoryIssues, userIssues },
  ...{ avatar, currentUser, organization, user, userOrganizations },
  ...repositories,
  ...collaborators,
  timeline,
  ...branches,
  ...pullChanges,
  compare,
  ...objects,
  ...sourceArchives,
  ...{ gitRef, gitRefOrRefs, gitRefs, matchingRefs },
  ...{ commit, commits, contents, languages, readme, rootContents },
}

# marc in a container: the package as npm installs it, for a user without rights, on a root that may be read-only.
#
#   docker build -t marc .
#   docker run --rm --read-only --tmpfs /tmp -v "$PWD:/data" marc load archive.tar.gz -o archive.db
#   docker run --rm --read-only --tmpfs /tmp -v "$PWD:/data" -p 127.0.0.1:8730:8730 marc serve archive.db --bind 0.0.0.0 --insecure
#
# Files that it writes belong to user 1000 of the host; name another one with --user.

FROM node:24.21.0-bookworm-slim AS package
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm pack --pack-destination /package

FROM node:24.21.0-bookworm-slim
# What writes or clones Git data uses the program.
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -r /var/lib/apt/lists/*
COPY --from=package /package /package
RUN npm install --global --no-audit --no-fund /package/*.tgz && rm -r /package
# Cached databases and compiled code: anew in each container, where a root that is read-only has a file system for /tmp.
ENV XDG_CACHE_HOME=/tmp/cache XDG_STATE_HOME=/tmp/state
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8730
ENTRYPOINT ["marc"]
CMD ["--help"]

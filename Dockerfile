# syntax=docker/dockerfile:1
# Weft as an image: non-root, for a read-only root file system, with data in /data.
#
#   docker build -t weft .
#   docker run --read-only --tmpfs /tmp -v weft:/data -p 8787:8787 -e WEFT_PUBLIC_URL=https://weft.example.org weft
#
# BASE builds, and needs glibc and Node.js 24.11 or newer as `node`, with npm. RUNTIME needs the same glibc, and apt-get.

ARG BASE=docker.io/library/node:26-trixie-slim
ARG RUNTIME=docker.io/library/debian:trixie-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build-package.ts \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
 # The image has Node.js already, so the optional packages that contain it are left out.
 && rm -rf node_modules/node-linux-* node_modules/node-bin-* \
 # Node.js loads neither TypeScript from node_modules nor source maps.
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete \
 && install "$(node -p process.execPath)" /build/node

FROM ${RUNTIME}
# For `weft backup` on PostgreSQL, build with --build-arg POSTGRES_CLIENT=postgresql-client. On Debian 13 this is version 17,
# which cannot back up a newer server.
ARG POSTGRES_CLIENT=""
# Node.js needs libatomic1. Its certificates of public authorities are its own.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 libstdc++6 $POSTGRES_CLIENT \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
 && groupadd --system --gid 8787 weft && useradd --system --uid 8787 --gid weft --home-dir /data --no-create-home weft \
 && install -d -o weft -g weft -m 0700 /data
COPY --from=build /build/node /usr/local/bin/node
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE /build/NOTICE /build/CHANGELOG.md ./
COPY --from=build /build/bin bin
COPY --from=build /build/docs docs
COPY --from=build /build/dist dist
COPY --from=build /build/node_modules node_modules
RUN ln -s /app/bin/weft.js /usr/local/bin/weft

USER weft
WORKDIR /data
ENV NODE_ENV=production \
    WEFT_DATABASE=sqlite:/data/weft.db \
    WEFT_HOST=0.0.0.0 \
    NODE_COMPILE_CACHE=/tmp/weft-compile-cache \
    MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.WEFT_PORT || 8787) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The young generation of the heap takes 16 instead of 64 MB (decisions/0002).
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/bin/weft.js"]
CMD ["serve"]

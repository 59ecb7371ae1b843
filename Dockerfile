# Porchlight in a container: docs/install.md says how to build and run it, docs/admin/upgrade.md how to upgrade it.
# `make test-container` does so.

FROM node:24-bookworm-slim AS pages
WORKDIR /src/ui
COPY ui/package.json ui/package-lock.json ./
RUN npm ci --include=dev --include=optional --no-audit --no-fund
COPY ui/ ./
RUN npm run build

# There is no npm in this stage, so build.rs embeds the pages as it finds them, and says so.
FROM rust:1.95-bookworm AS server
WORKDIR /src
COPY . .
COPY --from=pages /src/ui/dist/ ui/dist/
# As `make dist`.
RUN cargo build --locked --profile dist --bin porchlight

FROM debian:bookworm-slim
# The certificates of the world's authorities: for the mail server and an OpenID Connect provider.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin porchlight \
    && install --directory --owner=porchlight --group=porchlight --mode=0700 /data
COPY --from=server /src/target/dist/porchlight /usr/local/bin/porchlight

USER porchlight
ENV PORCHLIGHT_DATA=/data
VOLUME /data
# 8443 with PORCHLIGHT_HTTPS_NAME.
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["porchlight", "health"]
ENTRYPOINT ["porchlight"]
CMD ["serve", "--listen", "0.0.0.0:8080"]

# The official image brings Node 24; the platform packages that carry it elsewhere are left out.
FROM node:24-slim AS build
WORKDIR /weir
COPY . .
RUN npm ci --include=dev && npm run build

FROM node:24-slim AS packages
WORKDIR /weir
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY console/package.json console/
COPY e2e/package.json e2e/
RUN npm ci --omit=dev --omit=optional --workspace=@weir/server --workspace=@weir/contract

FROM node:24-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /weir
COPY --from=packages /weir/node_modules node_modules
COPY package.json ./
COPY contract contract
COPY server server
COPY --from=build /weir/console/dist console/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/api/status`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["sh", "server/start.sh"]

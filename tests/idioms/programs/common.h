/* What all idioms share. Plain C over MPI: compiled into `idioms`, and written
   out with the programs that are drawn. */
#pragma once

#include <mpi.h>
#include <stdlib.h>

/* How ranks become a grid. */
enum {
  kLine,         /* one side */
  kDimsCreate,   /* MPI_Dims_create */
  kEqualSides,   /* square or cube */
  kHalves,       /* the side with most points is halved, again and again */
  kLeastSurface, /* sides that cut the mesh with the least surface */
  kLongFirst,    /* two ranks across, the rest along */
  kGivenColumns  /* four columns, or two, as an argument would say */
};
/* How places of the grid are numbered. */
enum { kRowMajor, kColumnMajor, kSnake, kMorton };

enum { kMostSides = 3 };

struct grid {
  int ranks, rank;
  int sides, side[kMostSides], at[kMostSides];
  int order;
  int mesh[kMostSides]; /* points of the whole */
};

void make_grid(struct grid *g, int rule, int order, int sides,
               const int mesh[kMostSides]);
/* MPI_PROC_NULL beyond an open end. */
int rank_at(const struct grid *g, const int at[], int periodic);
/* The rank `by` places on along one side. */
int next_along(const struct grid *g, int side, int by, int periodic);
/* The rank by so much along each side. */
int next_by(const struct grid *g, const int by[], int periodic);

/* Part i of n things in so many parts; the first get one more. */
int share(int n, int parts, int i);
/* Part i by other ways to cut: who gets what is left over. */
enum {
  kFirstGetMore,
  kLastGetMore,
  kSpread,
  kRoundedUp,
  kLastGetsRest,
  kToNearest /* ends are rounded */
};
int part_of(int n, int parts, int i, int cut);
/* Where part i begins. */
int first_of(int n, int parts, int i);
/* Points of my block along a side. */
int block_side(const struct grid *g, int side);
/* Points of the face of my block across a side, with a rim of so many. */
int face(const struct grid *g, int side, int rim);

int log2_of(int n);                               /* rounded down */
int least_power(int at_least);                    /* of two */
unsigned mix(unsigned a, unsigned b, unsigned c); /* a hash */
double *numbers(int n);                           /* room for them */

/* How a program waits for its requests. */
enum {
  kWaitall,
  kWaitEach,
  kWaitBackwards,
  kWaitany,
  kWaitsome,
  kTestEach,
  kTestall,
  kTestany,
  kTestRound,
  kFinishStyles
};
void finish(int n, MPI_Request *requests, int style);

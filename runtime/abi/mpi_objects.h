// Functions of MPI 5.0: the objects that messages need, and the job itself.
// Those for counts of more than an int stand beside the others. A part of
// runtime/abi/mpi.h, which has the types; intercept/generator/mpi_header.py
// reads it.
#pragma once

// Groups and communicators.
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag,
                          MPI_Comm* newcomm);
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info,
                        MPI_Comm* newcomm);
int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader,
                         MPI_Comm peer_comm, int remote_leader, int tag,
                         MPI_Comm* newintercomm);
int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm);
int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm,
                            MPI_Request* request);
int MPI_Comm_disconnect(MPI_Comm* comm);
int MPI_Group_incl(MPI_Group group, int n, const int ranks[],
                   MPI_Group* newgroup);
int MPI_Group_excl(MPI_Group group, int n, const int ranks[],
                   MPI_Group* newgroup);
int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3],
                         MPI_Group* newgroup);
int MPI_Group_range_excl(MPI_Group group, int n, int ranges[][3],
                         MPI_Group* newgroup);
int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup);
int MPI_Group_intersection(MPI_Group group1, MPI_Group group2,
                           MPI_Group* newgroup);
int MPI_Group_difference(MPI_Group group1, MPI_Group group2,
                         MPI_Group* newgroup);
int MPI_Group_free(MPI_Group* group);
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* info_used);
int MPI_Comm_get_name(MPI_Comm comm, char* comm_name, int* resultlen);
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group);
int MPI_Comm_remote_size(MPI_Comm comm, int* size);
int MPI_Comm_set_name(MPI_Comm comm, const char* comm_name);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_test_inter(MPI_Comm comm, int* flag);
int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int* result);
int MPI_Group_rank(MPI_Group group, int* rank);
int MPI_Group_size(MPI_Group group, int* size);
int MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[],
                              MPI_Group group2, int ranks2[]);

// Attributes.
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* comm_copy_attr_fn,
                           MPI_Comm_delete_attr_function* comm_delete_attr_fn,
                           int* comm_keyval, void* extra_state);
int MPI_Comm_free_keyval(int* comm_keyval);
int MPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void* attribute_val);
int MPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval);
int MPI_Type_create_keyval(MPI_Type_copy_attr_function* type_copy_attr_fn,
                           MPI_Type_delete_attr_function* type_delete_attr_fn,
                           int* type_keyval, void* extra_state);
int MPI_Type_free_keyval(int* type_keyval);
int MPI_Type_set_attr(MPI_Datatype datatype, int type_keyval,
                      void* attribute_val);
int MPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval);
int MPI_Win_create_keyval(MPI_Win_copy_attr_function* win_copy_attr_fn,
                          MPI_Win_delete_attr_function* win_delete_attr_fn,
                          int* win_keyval, void* extra_state);
int MPI_Win_free_keyval(int* win_keyval);
int MPI_Win_set_attr(MPI_Win win, int win_keyval, void* attribute_val);
int MPI_Win_delete_attr(MPI_Win win, int win_keyval);
int MPI_Keyval_create(MPI_Copy_function* copy_fn,
                      MPI_Delete_function* delete_fn, int* keyval,
                      void* extra_state);
int MPI_Keyval_free(int* keyval);
int MPI_Attr_put(MPI_Comm comm, int keyval, void* attribute_val);
int MPI_Attr_delete(MPI_Comm comm, int keyval);
int MPI_Attr_get(MPI_Comm comm, int keyval, void* attribute_val, int* flag);
int MPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void* attribute_val,
                      int* flag);
int MPI_Type_get_attr(MPI_Datatype datatype, int type_keyval,
                      void* attribute_val, int* flag);
int MPI_Win_get_attr(MPI_Win win, int win_keyval, void* attribute_val,
                     int* flag);

// Topologies.
int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[],
                    const int periods[], int reorder, MPI_Comm* comm_cart);
int MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm);
int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[],
                     const int edges[], int reorder, MPI_Comm* comm_graph);
int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[],
                          const int degrees[], const int destinations[],
                          const int weights[], MPI_Info info, int reorder,
                          MPI_Comm* comm_dist_graph);
int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree,
                                   const int sources[],
                                   const int sourceweights[], int outdegree,
                                   const int destinations[],
                                   const int destweights[], MPI_Info info,
                                   int reorder, MPI_Comm* comm_dist_graph);
int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]);
int MPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[],
                 int coords[]);
int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[],
                 const int periods[], int* newrank);
int MPI_Cart_rank(MPI_Comm comm, const int coords[], int* rank);
int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* rank_source,
                   int* rank_dest);
int MPI_Cartdim_get(MPI_Comm comm, int* ndims);
int MPI_Dims_create(int nnodes, int ndims, int dims[]);
int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[],
                             int sourceweights[], int maxoutdegree,
                             int destinations[], int destweights[]);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree,
                                   int* weighted);
int MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[],
                  int edges[]);
int MPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[],
                  const int edges[], int* newrank);
int MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors,
                        int neighbors[]);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors);
int MPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges);
int MPI_Topo_test(MPI_Comm comm, int* status);

// Info.
int MPI_Info_create(MPI_Info* info);
int MPI_Info_create_env(int argc, char* argv[], MPI_Info* info);
int MPI_Info_delete(MPI_Info info, const char* key);
int MPI_Info_dup(MPI_Info info, MPI_Info* newinfo);
int MPI_Info_free(MPI_Info* info);
int MPI_Info_set(MPI_Info info, const char* key, const char* value);
int MPI_Info_get(MPI_Info info, const char* key, int valuelen, char* value,
                 int* flag);
int MPI_Info_get_nkeys(MPI_Info info, int* nkeys);
int MPI_Info_get_nthkey(MPI_Info info, int n, char* key);
int MPI_Info_get_string(MPI_Info info, const char* key, int* buflen,
                        char* value, int* flag);
int MPI_Info_get_valuelen(MPI_Info info, const char* key, int* valuelen,
                          int* flag);

// Error handlers, classes and codes.
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* comm_errhandler_fn,
                               MPI_Errhandler* errhandler);
int MPI_Win_create_errhandler(MPI_Win_errhandler_function* win_errhandler_fn,
                              MPI_Errhandler* errhandler);
int MPI_File_create_errhandler(MPI_File_errhandler_function* file_errhandler_fn,
                               MPI_Errhandler* errhandler);
int MPI_Session_create_errhandler(
    MPI_Session_errhandler_function* session_errhandler_fn,
    MPI_Errhandler* errhandler);
int MPI_Errhandler_free(MPI_Errhandler* errhandler);
int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode);
int MPI_Win_call_errhandler(MPI_Win win, int errorcode);
int MPI_File_call_errhandler(MPI_File fh, int errorcode);
int MPI_Session_call_errhandler(MPI_Session session, int errorcode);
int MPI_Add_error_class(int* errorclass);
int MPI_Add_error_code(int errorclass, int* errorcode);
int MPI_Add_error_string(int errorcode, const char* string);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Error_class(int errorcode, int* errorclass);
int MPI_Error_string(int errorcode, char* string, int* resultlen);
int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* errhandler);
int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler);
int MPI_Remove_error_class(int errorclass);
int MPI_Remove_error_code(int errorcode);
int MPI_Remove_error_string(int errorcode);
int MPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler* errhandler);
int MPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler);
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler* errhandler);
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler);

// Memory and buffers.
int MPI_Buffer_attach(void* buffer, int size);
int MPI_Buffer_attach_c(void* buffer, MPI_Count size);
int MPI_Buffer_detach(void* buffer_addr, int* size);
int MPI_Buffer_detach_c(void* buffer_addr, MPI_Count* size);
int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr);
int MPI_Free_mem(void* base);
int MPI_Buffer_flush(void);
int MPI_Buffer_iflush(MPI_Request* request);
int MPI_Comm_attach_buffer(MPI_Comm comm, void* buffer, int size);
int MPI_Comm_attach_buffer_c(MPI_Comm comm, void* buffer, MPI_Count size);
int MPI_Comm_detach_buffer(MPI_Comm comm, void* buffer_addr, int* size);
int MPI_Comm_detach_buffer_c(MPI_Comm comm, void* buffer_addr, MPI_Count* size);
int MPI_Comm_flush_buffer(MPI_Comm comm);
int MPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request* request);
int MPI_Session_attach_buffer(MPI_Session session, void* buffer, int size);
int MPI_Session_attach_buffer_c(MPI_Session session, void* buffer,
                                MPI_Count size);
int MPI_Session_detach_buffer(MPI_Session session, void* buffer_addr,
                              int* size);
int MPI_Session_detach_buffer_c(MPI_Session session, void* buffer_addr,
                                MPI_Count* size);
int MPI_Session_flush_buffer(MPI_Session session);
int MPI_Session_iflush_buffer(MPI_Session session, MPI_Request* request);

// Environment and the interface itself.
int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int errorcode);
int MPI_Abi_get_fortran_booleans(int logical_size, void* logical_true,
                                 void* logical_false, int* is_set);
int MPI_Abi_get_fortran_info(MPI_Info* info);
int MPI_Abi_get_info(MPI_Info* info);
int MPI_Abi_get_version(int* abi_major, int* abi_minor);
int MPI_Abi_set_fortran_booleans(int logical_size, void* logical_true,
                                 void* logical_false);
int MPI_Abi_set_fortran_info(MPI_Info info);
int MPI_Finalized(int* flag);
int MPI_Get_hw_resource_info(MPI_Info* hw_info);
int MPI_Get_library_version(char* version, int* resultlen);
int MPI_Get_processor_name(char* name, int* resultlen);
int MPI_Get_version(int* version, int* subversion);
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int MPI_Initialized(int* flag);
int MPI_Is_thread_main(int* flag);
int MPI_Pcontrol(const int level, ...);
int MPI_Query_thread(int* provided);
double MPI_Wtick(void);
double MPI_Wtime(void);

// Sessions.
int MPI_Comm_create_from_group(MPI_Group group, const char* stringtag,
                               MPI_Info info, MPI_Errhandler errhandler,
                               MPI_Comm* newcomm);
int MPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader,
                                     MPI_Group remote_group, int remote_leader,
                                     const char* stringtag, MPI_Info info,
                                     MPI_Errhandler errhandler,
                                     MPI_Comm* newintercomm);
int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler,
                     MPI_Session* session);
int MPI_Session_finalize(MPI_Session* session);
int MPI_Group_from_session_pset(MPI_Session session, const char* pset_name,
                                MPI_Group* newgroup);
int MPI_Session_get_info(MPI_Session session, MPI_Info* info_used);
int MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n,
                             int* pset_len, char* pset_name);
int MPI_Session_get_num_psets(MPI_Session session, MPI_Info info,
                              int* npset_names);
int MPI_Session_get_pset_info(MPI_Session session, const char* pset_name,
                              MPI_Info* info);

// Processes and ports.
int MPI_Comm_spawn(const char* command, char* argv[], int maxprocs,
                   MPI_Info info, int root, MPI_Comm comm, MPI_Comm* intercomm,
                   int array_of_errcodes[]);
int MPI_Comm_spawn_multiple(int count, char* array_of_commands[],
                            char** array_of_argv[],
                            const int array_of_maxprocs[],
                            const MPI_Info array_of_info[], int root,
                            MPI_Comm comm, MPI_Comm* intercomm,
                            int array_of_errcodes[]);
int MPI_Comm_accept(const char* port_name, MPI_Info info, int root,
                    MPI_Comm comm, MPI_Comm* newcomm);
int MPI_Comm_connect(const char* port_name, MPI_Info info, int root,
                     MPI_Comm comm, MPI_Comm* newcomm);
int MPI_Comm_join(int fd, MPI_Comm* intercomm);
int MPI_Open_port(MPI_Info info, char* port_name);
int MPI_Close_port(const char* port_name);
int MPI_Publish_name(const char* service_name, MPI_Info info,
                     const char* port_name);
int MPI_Unpublish_name(const char* service_name, MPI_Info info,
                       const char* port_name);
int MPI_Lookup_name(const char* service_name, MPI_Info info, char* port_name);
int MPI_Comm_get_parent(MPI_Comm* parent);
